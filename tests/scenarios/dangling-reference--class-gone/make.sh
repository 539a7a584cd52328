# An operator runs and does not report why it keeps a database whose class does not exist.
crd databases acme.io Database
crd databaseclasses acme.io DatabaseClass Cluster
operator ops acme-operator 1 databases.acme.io databaseclasses.acme.io
kubectl create namespace shop
object shop Database.v1.acme.io orders \
  '{classRef: {name: gold}, writeConnectionSecretToRef: {name: orders-login}}'
finalizer shop databases.acme.io orders acme.io/backup acme-operator
kubectl -n shop delete databases.acme.io orders --wait=false
aged 60 /registry/acme.io/databases/shop/orders databases.acme.io orders -n shop
pods_running_since 300 ops acme-operator
