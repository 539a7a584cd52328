# An operator reported an error an hour ago. Its pod was restarted since.
crd databases acme.io Database
operator ops acme-operator 1 databases.acme.io
kubectl create namespace shop
object shop Database.v1.acme.io orders
finalizer shop databases.acme.io orders acme.io/backup acme-operator
kubectl -n shop delete databases.acme.io orders --wait=false
says shop databases.acme.io orders acme-operator \
  "{conditions: [$(condition Ready False BackupFailed 'cannot reach the bucket: connection refused')]}"
aged 60 /registry/acme.io/databases/shop/orders databases.acme.io orders -n shop
pods_running_since 30 ops acme-operator
