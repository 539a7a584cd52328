# An owner waits for a pod that is within its grace period.
node alive Ready
kubectl create namespace shop
owned shop store
kubectl apply -f - <<YAML
apiVersion: v1
kind: Pod
metadata: {name: web, namespace: shop, ownerReferences: [$(owner cm store shop)]}
spec:
  nodeName: alive
  automountServiceAccountToken: false
  terminationGracePeriodSeconds: 3000
  containers: [{name: c, image: example.invalid/none}]
YAML
seen
foreground cm store -n shop
late
