# Two namespaces wait for one operator at zero, and only one of them is the target. Starting the
# operator also finishes the requested deletion in the other one, and is advised before removing the
# finalizer.
crd databases acme.io Database
operator ops acme-operator 0 databases.acme.io
for namespace in shop two idle; do
  kubectl create namespace $namespace
  object $namespace Database.v1.acme.io orders
  finalizer $namespace databases orders acme.io/backup acme-operator
done
delete_namespace shop two
