# A route was deleted while its deployer wrote to it. The controller's removal of its finalizer
# failed with a conflict, which it logged and did not retry. It checks again only when a spec
# changes or when it starts. Its condition has reported success since the deletion. What it created
# for the route still exists. Another route is healthy.
node worker Ready
settled worker
crd aigatewayroutes aigateway.envoyproxy.io AIGatewayRoute Namespaced v1beta1
crd aiservicebackends aigateway.envoyproxy.io AIServiceBackend Namespaced v1beta1
crd backendsecuritypolicies aigateway.envoyproxy.io BackendSecurityPolicy Namespaced v1beta1
crd httproutes gateway.networking.k8s.io HTTPRoute
crd gateways gateway.networking.k8s.io Gateway
crd httproutefilters gateway.envoyproxy.io HTTPRouteFilter Namespaced v1alpha1
operator envoy-ai-gateway-system ai-gateway-controller 2 aigatewayroutes.aigateway.envoyproxy.io aiservicebackends.aigateway.envoyproxy.io \
  backendsecuritypolicies.aigateway.envoyproxy.io httproutes.gateway.networking.k8s.io gateways.gateway.networking.k8s.io httproutefilters.gateway.envoyproxy.io
pods_on worker envoy-ai-gateway-system ai-gateway-controller
pods_running_since 4000 envoy-ai-gateway-system ai-gateway-controller
pods=$(pods_of envoy-ai-gateway-system ai-gateway-controller)
if [ -n "${TWIN:-}" ]; then
  lease envoy-ai-gateway-system envoy-ai-gateway-controller "${pods%% *}_1" 9300
else
  leading envoy-ai-gateway-system envoy-ai-gateway-controller "${pods%% *}_1"
fi
works 4000 envoy-gateway-system envoy-gateway httproutes.gateway.networking.k8s.io gateways.gateway.networking.k8s.io httproutefilters.gateway.envoyproxy.io
leading envoy-gateway-system 5b9825d2.gateway.envoyproxy.io "$(pods_of envoy-gateway-system envoy-gateway)_1"
service_account argocd argocd-application-controller
kubectl create clusterrolebinding argocd-application-controller --clusterrole=cluster-admin --serviceaccount=argocd:argocd-application-controller
deployment argocd argocd-application-controller 1
pods_on worker argocd argocd-application-controller
pods_running_since 4000 argocd argocd-application-controller
kubectl create namespace inference-apps
object inference-apps Gateway.v1.gateway.networking.k8s.io ai '{gatewayClassName: envoy-ai-gateway, listeners: [{name: http, protocol: HTTP, port: 80}]}'
says inference-apps gateways ai envoy-gateway "{conditions: [$(condition Accepted True Accepted), $(condition Programmed True Programmed)]}"
# accepted NAME sets the condition that the controller sets whenever it has reconciled a route.
accepted() {
  says inference-apps aigatewayroutes "$1" app "{conditions: [$(condition Accepted True ReconciliationSucceeded 'AI Gateway Route reconciled successfully')]}"
}
# route NAME creates a route with its backend and what the controller creates for it.
route() {
  kubectl apply --field-manager=argocd-controller -f - <<YAML
apiVersion: aigateway.envoyproxy.io/v1beta1
kind: AIServiceBackend
metadata: {name: $1-upstream, namespace: inference-apps, annotations: {argocd.argoproj.io/tracking-id: "inference:aigateway.envoyproxy.io/AIServiceBackend:inference-apps/$1-upstream"}}
spec: {schema: {name: OpenAI}, backendRef: {name: $1-upstream, kind: Backend, group: gateway.envoyproxy.io}}
---
apiVersion: aigateway.envoyproxy.io/v1beta1
kind: AIGatewayRoute
metadata: {name: $1, namespace: inference-apps, annotations: {argocd.argoproj.io/tracking-id: "inference:aigateway.envoyproxy.io/AIGatewayRoute:inference-apps/$1"}}
spec:
  parentRefs: [{name: ai, kind: Gateway, group: gateway.networking.k8s.io}]
  rules: [{matches: [{headers: [{type: Exact, name: x-ai-eg-model, value: $1}]}], backendRefs: [{name: $1-upstream}]}]
YAML
  finalizer inference-apps aigatewayroutes "$1" aigateway.envoyproxy.io/finalizer app
  finalizer inference-apps aiservicebackends "$1-upstream" aigateway.envoyproxy.io/finalizer app
  accepted "$1"
  local mine
  mine="{controller: true, $(owner aigatewayroutes "$1" inference-apps | sed 's/^{//')"
  kubectl apply --field-manager=app -f - <<YAML
apiVersion: gateway.envoyproxy.io/v1alpha1
kind: HTTPRouteFilter
metadata: {name: ai-eg-host-rewrite-$1, namespace: inference-apps, ownerReferences: [$mine]}
spec: {urlRewrite: {hostname: {type: Backend}}}
---
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: {name: $1, namespace: inference-apps, ownerReferences: [$mine]}
spec: {parentRefs: [{name: ai}], rules: [{backendRefs: [{name: $1-upstream, kind: Backend, group: gateway.envoyproxy.io}]}]}
YAML
}
route chat
route embeddings
if [ -n "${TWIN:-}" ]; then
  kubectl -n envoy-ai-gateway-system scale deployment ai-gateway-controller --replicas=0
  # Without a kubelet the pods do not end on their own.
  kubectl -n envoy-ai-gateway-system delete pod --all --force --grace-period=0
fi
kubectl -n inference-apps delete aigatewayroute chat --wait=false
kubectl -n inference-apps annotate --field-manager=argocd-controller aigatewayroute chat argocd.argoproj.io/refreshed-by=sync-4711
if [ -z "${TWIN:-}" ]; then accepted chat; fi
late
aged 150 /registry/aigateway.envoyproxy.io/aigatewayroutes/inference-apps/chat aigatewayroute chat -n inference-apps
