# An operator that does its work, one object every three seconds.
node worker Ready
crd databases acme.io Database
operator ops acme-operator 1 databases.acme.io
pods_ready ops acme-operator
leading ops acme-operator-leader acme-operator-7c9f_1
kubectl create namespace shop
for number in $(seq -w 12); do
  object shop Database.v1.acme.io "orders-$number"
  finalizer shop databases "orders-$number" acme.io/backup acme-operator
done
release() {
  local next
  next=$(kubectl -n shop get databases -o jsonpath='{.items[?(@.metadata.deletionTimestamp)].metadata.name}')
  kubectl -n shop patch database "${next%% *}" --type=merge --field-manager=acme-operator \
    -p 'metadata: {finalizers: null}'
}
every 3 release <&3 >/dev/null 2>&1 &
delete_namespace shop
