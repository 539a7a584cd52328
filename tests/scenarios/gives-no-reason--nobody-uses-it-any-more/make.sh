# A controller keeps a backend while policies target it. No policy does any more, but the controller
# was not notified and checks again only when the backend changes. A policy targets another backend.
node worker Ready
settled worker
crd xbackends agentic.prototype.x-k8s.io XBackend Namespaced v0alpha0
crd xaccesspolicies agentic.prototype.x-k8s.io XAccessPolicy Namespaced v0alpha0
works 600 agentic-net-system agentic-net-controller xbackends.agentic.prototype.x-k8s.io xaccesspolicies.agentic.prototype.x-k8s.io
kubectl create namespace quickstart-ns
deployment quickstart-ns envoy-proxy-agentic-net-gateway 1
kubectl -n quickstart-ns create serviceaccount envoy-proxy-agentic-net-gateway
pods_on worker quickstart-ns envoy-proxy-agentic-net-gateway
pods_running_since 600 quickstart-ns envoy-proxy-agentic-net-gateway
for name in local-mcp-backend remote-mcp-backend; do
  object quickstart-ns XBackend.v0alpha0.agentic.prototype.x-k8s.io $name "{mcp: {serviceName: $name, port: 3001, path: /mcp}}"
  finalizer quickstart-ns xbackends $name agentic.prototype.x-k8s.io/xbackend agentic-networking-controller
done
object quickstart-ns XAccessPolicy.v0alpha0.agentic.prototype.x-k8s.io auth-policy-remote \
  '{targetRefs: [{group: agentic.prototype.x-k8s.io, kind: XBackend, name: remote-mcp-backend}], rules: [{name: agent}]}'
[ -z "${TWIN:-}" ] || object quickstart-ns XAccessPolicy.v0alpha0.agentic.prototype.x-k8s.io auth-policy-local \
  '{targetRefs: [{group: agentic.prototype.x-k8s.io, kind: XBackend, name: local-mcp-backend}], rules: [{name: agent}]}'
kubectl -n quickstart-ns delete xbackend local-mcp-backend --wait=false
late
aged 30 /registry/agentic.prototype.x-k8s.io/xbackends/quickstart-ns/local-mcp-backend xbackend local-mcp-backend -n quickstart-ns
