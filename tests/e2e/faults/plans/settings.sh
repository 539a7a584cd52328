# An operator at 0 replicas, a webhook without a backend and an aggregated API without a Service
# hold a namespace. An earlier run changes them temporarily, and undo restores them.
kubectl create namespace shop
crd databases acme.io Database
crd gadgets acme.io Gadget
operator ops acme-operator 0 databases.acme.io
object shop Database.v1.acme.io orders
finalizer shop databases.acme.io orders acme.io/backup acme-operator
object shop Gadget.v1.acme.io one
dead_webhook guard DELETE acme.io gadgets
delete_namespace shop
api_service v1beta1 metrics.k8s.io kube-system metrics-server
available False v1beta1.metrics.k8s.io
