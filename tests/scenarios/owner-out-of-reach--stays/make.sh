# A cluster-scoped object with a namespaced owner stays after its owner is deleted.
kubectl create namespace shop
owned shop store
kubectl apply -f - <<YAML
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: store-reader, ownerReferences: [$(owner cm store shop)]}
rules: []
YAML
seen
kubectl delete cm store -n shop
seen
