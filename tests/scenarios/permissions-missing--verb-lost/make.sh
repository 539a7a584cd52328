# The ClusterRole of an operator lost `patch` on ConfigMaps but still lists and watches them. The
# operator's field manager is the name of its client library.
node worker Ready
operator locks ticket-controller 1 configmaps.
pods_ready locks ticket-controller
operator web gallery 1
pods_ready web gallery
kubectl create namespace shop
kubectl -n shop create configmap settings
finalizer shop configmap settings tickets.acme.io/turn OpenAPI-Generator
kubectl replace -f - <<'YAML'
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: locks-ticket-controller, labels: {app.kubernetes.io/managed-by: Helm}}
rules:
- {apiGroups: [""], resources: [configmaps], verbs: [get, list, watch, create]}
YAML
kubectl -n shop delete configmap settings --wait=false
aged 30 /registry/configmaps/shop/settings configmap settings -n shop
pods_running_since 300 locks ticket-controller
