# One object has two finalizers of one operator at zero, and another object has one of them. There
# is one cause, and starting the operator fixes it.
crd databases acme.io Database
operator ops acme-operator 0 databases.acme.io
kubectl create namespace shop
for name in orders users; do object shop Database.v1.acme.io $name; done
kubectl -n shop patch database orders --type=merge --field-manager=acme-operator \
  -p 'metadata: {finalizers: [acme.io/backup, acme.io/archive]}'
finalizer shop databases users acme.io/backup acme-operator
delete_namespace shop
