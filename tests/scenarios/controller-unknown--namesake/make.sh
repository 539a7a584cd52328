# The operator of a kind is gone. Another product's Deployment has its name, may write a kind that
# is not served, and is at zero.
crd databases acme.io Database
operator elsewhere acme-operator 0 gadgets.other.example
kubectl create namespace shop
object shop Database.v1.acme.io orders
finalizer shop databases.acme.io orders acme.io/backup acme-operator
kubectl -n shop delete databases.acme.io orders --wait=false
late
