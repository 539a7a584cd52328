# The garbage collector deletes a copy whose owner is in another namespace. A cluster-scoped object
# with a namespaced owner stays.
kubectl create namespace shop
kubectl create namespace copies
owned shop store
owned copies copy acme.io/mirror "$(owner cm store shop)"
kubectl apply -f - <<YAML
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: store-reader, ownerReferences: [$(owner cm store shop)]}
rules: []
YAML
wait_for 20 "the copy is being deleted" kubectl -n copies wait --for=jsonpath='{.metadata.deletionTimestamp}' cm/copy --timeout=1s
late
