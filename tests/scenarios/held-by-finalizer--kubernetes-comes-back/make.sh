# Somebody edits "kubernetes" out of spec.finalizers, again and again: the answer is
# 200 and nothing changes. What holds the namespace is an object in it.
crd databases acme.io Database
kubectl create namespace shop
operator ops acme-operator 0 databases.acme.io
object shop Database.v1.acme.io orders
finalizer shop databases.acme.io orders acme.io/backup acme-operator
delete_namespace shop
kubectl patch namespace shop --type=merge -p '{"spec":{"finalizers":[]}}'
is '["kubernetes"]' '{.spec.finalizers}' namespace shop
