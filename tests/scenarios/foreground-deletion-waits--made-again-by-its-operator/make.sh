# An owner is deleted in the foreground, and its operator has just created its Deployment again,
# whose pod is within its grace period.
node worker Ready
settled worker
crd stacks tuff.example Stack
works 600 tuff tuff-operator stacks.tuff.example deployments.apps configmaps.
works 600 gneiss gneiss-operator deployments.apps configmaps.
kubectl create namespace shop
owned shop web
kubectl apply --server-side --field-manager="${MAKER:-tuff-operator}" -f - <<YAML
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: shop, ownerReferences: [$(owner cm web shop)]}
spec:
  selector: {matchLabels: {app.kubernetes.io/name: web}}
  template:
    metadata: {labels: {app.kubernetes.io/name: web}}
    spec:
      automountServiceAccountToken: false
      terminationGracePeriodSeconds: 3000
      containers: [{name: web, image: example.invalid/web}]
YAML
pods_on worker shop web
seen
foreground cm web -n shop
going() { test -n "$(kubectl -n shop get deployment web -o jsonpath='{.metadata.deletionTimestamp}')"; }
wait_for 30 "the Deployment is being deleted" going
late
aged 30 /registry/configmaps/shop/web cm web -n shop
