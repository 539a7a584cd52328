# An operator runs out of memory as soon as it starts.
node worker Ready
crd databases acme.io Database
operator ops acme-operator 1 databases.acme.io
pods_crash ops acme-operator OOMKilled 137
lease ops acme-operator-leader acme-operator-7c9f_1 7200
kubectl create namespace shop
object shop Database.v1.acme.io orders
finalizer shop databases orders acme.io/backup acme-operator
delete_namespace shop
