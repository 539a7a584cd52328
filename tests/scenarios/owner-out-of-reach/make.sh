# A namespaced owner with a cluster-scoped dependent, which is never collected.
kubectl create namespace shop
owned shop store
kubectl apply -f - <<YAML
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: store-reader, ownerReferences: [$(owner cm store shop)]}
rules: []
YAML
seen
foreground cm store -n shop
late
