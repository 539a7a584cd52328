# An operator's image was removed from the registry.
node worker Ready
crd databases acme.io Database
operator ops acme-operator 1 databases.acme.io
pods_waiting ops acme-operator ImagePullBackOff \
  'Back-off pulling image "example.invalid/acme-operator": ErrImagePull: not found'
kubectl create namespace shop
object shop Database.v1.acme.io orders
finalizer shop databases orders acme.io/backup acme-operator
delete_namespace shop
