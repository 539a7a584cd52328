# Somebody removes "kubernetes" from spec.finalizers: the API server returns 200 and changes
# nothing. An object in the namespace holds it.
crd databases acme.io Database
kubectl create namespace shop
operator ops acme-operator 0 databases.acme.io
object shop Database.v1.acme.io orders
finalizer shop databases.acme.io orders acme.io/backup acme-operator
delete_namespace shop
kubectl patch namespace shop --type=merge -p '{"spec":{"finalizers":[]}}'
is '["kubernetes"]' '{.spec.finalizers}' namespace shop
