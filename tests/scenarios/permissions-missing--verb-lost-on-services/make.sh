# The ClusterRole of an operator lost `update` and `patch` on Services; it may still change their
# status. Another operator may update them.
node worker Ready
operator locks ticket-controller 1 services.
pods_ready locks ticket-controller
works 600 lb balancer services.
kubectl create namespace shop
kubectl -n shop create service clusterip front --tcp=80:80
kubectl -n shop patch service front --type=merge --field-manager=ticket-controller -p 'metadata: {finalizers: [tickets.acme.io/turn]}'
[ -n "${TWIN:-}" ] || kubectl replace -f - <<'YAML'
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: locks-ticket-controller, labels: {app.kubernetes.io/managed-by: Helm}}
rules:
- {apiGroups: [""], resources: [services], verbs: [get, list, watch]}
- {apiGroups: [""], resources: [services/status], verbs: [update, patch]}
YAML
kubectl -n shop delete service front --wait=false
late
aged 30 /registry/services/specs/shop/front service front -n shop
pods_running_since 300 locks ticket-controller
