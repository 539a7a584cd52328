# The status of an installer's object lists what the installer applied. The installer runs
# elsewhere, and the list is in a field of its own. One listed object waits for an operator that is
# gone.
crd bundles deploy.example Bundle
crd databases acme.io Database
kubectl create namespace shop
object shop Database.v1.acme.io orders
finalizer shop databases.acme.io orders acme.io/backup acme-operator
object shop Bundle.v1.deploy.example web
finalizer shop bundles.deploy.example web deploy.example/resources bundle-installer
kubectl -n shop delete bundles.deploy.example web --wait=false
kubectl -n shop delete databases.acme.io orders --wait=false
says shop bundles.deploy.example web bundle-installer \
  "{applied: [{kind: Database, name: orders}], conditions: [$(condition Ready False Deleting 'going on')]}"
late
