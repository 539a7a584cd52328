# Only its permissions identify the operator: its field manager is the default name of its library.
crd databases acme.io Database
operator dbaas-system dbaas-controller-manager 0 databases.acme.io
operator web shop-frontend 0
kubectl create namespace shop
object shop Database.v1.acme.io orders
finalizer shop databases orders acme.io/backup manager
delete_namespace shop
