# An operator leads. Before the deletion it reported a missing Secret, and it has reported nothing
# since.
node worker Ready
crd databases acme.io Database
operator ops acme-operator 1 databases.acme.io
pods_ready ops acme-operator
leading ops acme-operator-leader acme-operator-7c9f_1
kubectl create namespace shop
object shop Database.v1.acme.io orders
finalizer shop databases.acme.io orders acme.io/backup acme-operator
says shop databases.acme.io orders acme-operator \
  "{conditions: [$(condition Ready False ReconcileError 'Secret "orders-key" not found')]}"
sleep 2
kubectl -n shop delete databases.acme.io orders --wait=false
late
