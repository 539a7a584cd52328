# A finalizer holds an object. The dead metrics API holds namespaces but not this object.
api_service v1beta1 metrics.k8s.io kube-system metrics-server
crd databases acme.io Database
kubectl create namespace shop
object shop Database.v1.acme.io orders
finalizer shop database orders acme.io/backup acme-operator
available False v1beta1.metrics.k8s.io
kubectl -n shop delete database orders --wait=false
late
