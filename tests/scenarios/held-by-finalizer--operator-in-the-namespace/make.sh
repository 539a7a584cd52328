# An operator lives in the namespace of its objects: pods go first, so that it was
# gone before its objects were asked to go.
crd databases acme.io Database
operator shop acme-operator 1 databases.acme.io
pods_of shop acme-operator
object shop Database.v1.acme.io orders
finalizer shop databases orders acme.io/backup acme-operator
delete_namespace shop
