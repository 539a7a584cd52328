# The operator's own namespace is being deleted and is stuck, because the node of its pod is dead.
node worker Ready
node lost Fading
crd databases acme.io Database
operator ops acme-operator 1 databases.acme.io
pods_ready ops acme-operator lost
kubectl create namespace shop
object shop Database.v1.acme.io orders
finalizer shop databases orders acme.io/backup acme-operator
delete_namespace ops shop
wait_for 60 "the operator's pod is not Ready" \
  kubectl -n ops wait --for=condition=Ready=False pod -l app.kubernetes.io/name=acme-operator --timeout=1s
