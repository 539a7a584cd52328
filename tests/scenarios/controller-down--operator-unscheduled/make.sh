# No node has room for an operator's pods.
node worker Ready
crd databases acme.io Database
operator ops acme-operator 2 databases.acme.io
pods_unscheduled ops acme-operator "0/1 nodes are available: 1 Insufficient memory"
kubectl create namespace shop
object shop Database.v1.acme.io orders
finalizer shop databases orders acme.io/backup acme-operator
delete_namespace shop
