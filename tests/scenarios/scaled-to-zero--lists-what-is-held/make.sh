# A healthy installer removes what it installed and gives no reason. An operator at zero holds one
# object of its inventory.
node worker Ready
crd bundles deploy.example Bundle
crd databases acme.io Database
operator deploy bundle-installer 1 bundles.deploy.example
pods_ready deploy bundle-installer
operator ops acme-operator 0 databases.acme.io
kubectl create namespace shop
object shop Database.v1.acme.io orders
finalizer shop databases.acme.io orders acme.io/backup acme-operator
object shop Bundle.v1.deploy.example web
finalizer shop bundles.deploy.example web deploy.example/resources bundle-installer
says shop bundles.deploy.example web bundle-installer \
  '{resources: [{group: acme.io, version: v1, kind: Database, namespace: shop, name: orders}]}'
kubectl -n shop delete bundles.deploy.example web --wait=false
kubectl -n shop delete databases.acme.io orders --wait=false
late
