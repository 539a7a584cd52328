# Two webhooks are called: one has no Service, and one never answers. The operator was uninstalled,
# so its finalizer remains after both are fixed.
backend ok
crd databases acme.io Database
operator ops acme-operator 1 databases.acme.io
namespace shop
object shop Database.v1.acme.io orders
finalizer shop databases orders acme.io/backup acme-operator
kubectl -n ops delete deployment,serviceaccount acme-operator
kubectl delete clusterrole,clusterrolebinding ops-acme-operator
live_webhook Validating slow hang UPDATE acme.io databases 'timeoutSeconds: 2'
dead_webhook gone UPDATE acme.io databases
kubectl -n shop delete database orders --wait=false
late
