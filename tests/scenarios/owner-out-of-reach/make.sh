# A namespaced owner waits for a cluster-scoped dependent, which the garbage collector never
# deletes.
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
