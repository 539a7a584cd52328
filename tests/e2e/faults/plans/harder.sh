# Three objects whose second remedy is asked for: a webhook without a backend refuses every
# change of one, one waits for a cluster-scoped dependent, and one is on a dead node.
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
kubectl -n shop apply -f - <<'YAML'
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: db}
spec:
  serviceName: db
  selector: {matchLabels: {app: db}}
  template:
    metadata: {labels: {app: db}}
    spec:
      nodeName: silent
      terminationGracePeriodSeconds: 1
      containers: [{name: c, image: example.invalid/none}]
YAML
wait_for 20 "its pod is there" kubectl -n shop get pod db-0
seen
dead_webhook guard UPDATE acme.io gadgets
foreground cm store -n shop
foreground gadgets.acme.io one -n shop
kubectl -n shop delete pod db-0 --wait=false
late
