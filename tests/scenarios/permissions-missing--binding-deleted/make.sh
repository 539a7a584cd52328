# Somebody deleted the ClusterRoleBinding of a running operator. Its ClusterRole still exists and
# covers more than the held kind. The product's ClusterRole for users exists too and is not bound.
node worker Ready
crd parcels post.acme.io Parcel
crd routes post.acme.io Route
operator depot courier-manager 1 parcels.post.acme.io routes.post.acme.io configmaps.
pods_ready depot courier-manager
kubectl apply -f - <<'YAML'
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: courier-parcel-editor}
rules:
- {apiGroups: [post.acme.io], resources: [parcels], verbs: [get, list, watch, create, update, patch, delete]}
- {apiGroups: [post.acme.io], resources: [parcels/status], verbs: [get]}
YAML
kubectl create namespace shop
object shop Parcel.v1.post.acme.io gift
finalizer shop parcels.post.acme.io gift post.acme.io/delivered manager
kubectl delete clusterrolebinding depot-courier-manager
kubectl -n shop delete parcels.post.acme.io gift --wait=false
aged 30 /registry/post.acme.io/parcels/shop/gift parcels.post.acme.io gift -n shop
pods_running_since 300 depot courier-manager
