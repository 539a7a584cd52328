# An operator's pod had no node at the time of the deletion and became Ready a moment ago.
node worker Ready
crd databases acme.io Database
operator ops acme-operator 1 databases.acme.io
kubectl create namespace shop
object shop Database.v1.acme.io orders
finalizer shop databases.acme.io orders acme.io/backup acme-operator
kubectl -n shop delete databases.acme.io orders --wait=false
late
pods_ready ops acme-operator
