# A running operator lost its permissions in the namespace, because its RoleBinding was deleted with
# it.
node worker Ready
crd databases acme.io Database
operator ops acme-operator 1
rights acme-operator databases.acme.io
pods_ready ops acme-operator
leading ops acme-operator-leader acme-operator-7c9f_1
for namespace in shop market; do
  kubectl create namespace $namespace
  kubectl -n $namespace create rolebinding acme-operator --clusterrole=acme-operator \
    --serviceaccount=ops:acme-operator
done
object shop Database.v1.acme.io orders
finalizer shop databases orders acme.io/backup acme-operator
delete_namespace shop
