# Three objects that need their second remedy: a webhook without a backend refuses every update of
# one, one waits for a cluster-scoped dependent, and one is on a dead node. The garbage collector is
# stopped, because it would ignore an object that it has already processed.
node silent NotReady
kubectl create namespace shop
crd gadgets acme.io Gadget
object shop Gadget.v1.acme.io one
owned shop store
kubectl apply -f - <<YAML
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: store-reader, ownerReferences: [$(owner cm store shop)]}
rules: []
YAML
pod shop db-0 silent 1
# A cloud provider sets this taint when the machine is off.
kubectl taint node silent node.cloudprovider.kubernetes.io/shutdown=:NoSchedule
seen
dead_webhook guard UPDATE acme.io gadgets
foreground cm store -n shop
foreground gadgets.acme.io one -n shop
kubectl -n shop delete pod db-0 --wait=false
manager STOP
late
