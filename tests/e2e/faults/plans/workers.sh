# Three objects: one waits for an operator that is scaled to zero, one for a dead node, and one has
# finalizers of an unknown controller.
node silent NotReady
kubectl create namespace shop
crd databases acme.io Database
operator ops acme-operator 0 databases.acme.io
object shop Database.v1.acme.io orders
finalizer shop databases.acme.io orders acme.io/backup acme-operator
pod shop web silent 1
owned shop held "nobody.io/a, nobody.io/b"
kubectl -n shop delete databases.acme.io/orders pod/web cm/held --wait=false
late
