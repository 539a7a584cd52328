# Somebody scaled an operator to zero. It does its work when scaled up.
crd databases acme.io Database
operator ops acme-operator 0 databases.acme.io
kubectl create namespace shop
object shop Database.v1.acme.io orders
finalizer shop databases orders acme.io/backup acme-operator
delete_namespace shop
work() {
  if is 0 '{.spec.replicas}' deployment acme-operator -n ops; then return; fi
  kubectl -n shop patch database orders --type=merge --field-manager=acme-operator -p 'metadata: {finalizers: null}'
}
every 1 work <&3 >/dev/null 2>&1 &
