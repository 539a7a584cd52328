# An operator is in the namespace of its objects. The namespace controller deletes pods first, so
# the operator was gone before its objects were deleted.
crd databases acme.io Database
operator shop acme-operator 1 databases.acme.io
pods_of shop acme-operator
object shop Database.v1.acme.io orders
finalizer shop databases orders acme.io/backup acme-operator
delete_namespace shop
