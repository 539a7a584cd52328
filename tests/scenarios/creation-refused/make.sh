# A sidecar injector was removed but its webhook was not. The pods of an operator, which also serves
# an aggregated API, cannot be created.
crd plums acme.io Plum
operator orchard grower 0 plums.acme.io
kubectl -n orchard create service clusterip grower --tcp=443:6443
kubectl -n orchard patch service grower --type=merge -p 'spec: {selector: {app: null, app.kubernetes.io/name: grower}}'
dead_webhook injector CREATE "" pods "{matchLabels: {kubernetes.io/metadata.name: orchard}}"
dead_webhook elsewhere CREATE "" pods "{matchLabels: {kubernetes.io/metadata.name: other}}"
kubectl -n orchard scale deployment grower --replicas=1
kubectl -n orchard wait --for=condition=ReplicaFailure deployment/grower --timeout=20s
api_service v1 fruits.acme.io orchard grower
available False v1.fruits.acme.io
kubectl create namespace shop
object shop Plum.v1.acme.io orders
finalizer shop plums orders acme.io/stone grower
delete_namespace shop
