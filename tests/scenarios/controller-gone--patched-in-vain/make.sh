# Somebody patched `kubernetes` out of the Namespace and believes that something adds it again. The
# API server changes spec.finalizers through /finalize only.
crd databases acme.io Database
kubectl create namespace shop
object shop Database.v1.acme.io orders
finalizer shop databases orders acme.io/backup acme-operator
delete_namespace shop
kubectl patch namespace shop --type=merge -p 'spec: {finalizers: []}'
is '["kubernetes"]' '{.spec.finalizers}' namespace shop
