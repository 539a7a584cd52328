# Three objects of one operator: one waits for a ConfigMap, one waits for a lock, and the third
# reports nothing.
node worker Ready
crd exports acme.io Export
operator ops acme-operator 1 exports.acme.io
pods_ready ops acme-operator
kubectl create namespace shop
kubectl -n shop create configmap settings-d
for name in a b c; do
  object shop Export.v1.acme.io "$name"
  finalizer shop exports.acme.io "$name" acme.io/export acme-operator
done
kubectl -n shop delete exports.acme.io a b c --wait=false
says shop exports.acme.io a acme-operator \
  "{conditions: [$(condition Ready False AwaitingDeletion 'waiting for ConfigMap shop/settings-d to be released')]}"
says shop exports.acme.io b acme-operator \
  "{conditions: [$(condition Ready False LockHeld 'cannot write to the archive: its lock is held')]}"
for name in a b c; do
  aged 30 "/registry/acme.io/exports/shop/$name" exports.acme.io "$name" -n shop
done
pods_running_since 300 ops acme-operator
