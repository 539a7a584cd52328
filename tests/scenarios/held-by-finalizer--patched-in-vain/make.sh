# Somebody took `kubernetes` off the Namespace by hand, and believes that something
# puts it back: spec.finalizers is written through /finalize alone.
crd databases acme.io Database
kubectl create namespace shop
object shop Database.v1.acme.io orders
finalizer shop databases orders acme.io/backup acme-operator
delete_namespace shop
kubectl patch namespace shop --type=merge -p 'spec: {finalizers: []}'
is '["kubernetes"]' '{.spec.finalizers}' namespace shop
