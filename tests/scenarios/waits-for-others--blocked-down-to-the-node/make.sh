# A network waits for its gateway, as its running controller reports. The gateway waits for another
# controller, whose pods cannot be created because they require a webhook. The only pod of that
# webhook is on a node that stopped reporting.
node worker Ready
node node-2 Ready
crd networks acme.io Network
crd gateways edge.example Gateway
operator ops network-operator 1 networks.acme.io
pods_ready ops network-operator
leading ops network-operator-leader network-operator-7c9f_1
operator policies inspector 1
service policies inspector 443 9443
pods_ready policies inspector node-2
kubectl patch node node-2 --subresource=status --type=strategic -p "{\"status\":{\"conditions\":[{
  \"type\":\"Ready\",\"status\":\"Unknown\",\"reason\":\"NodeStatusUnknown\",
  \"message\":\"Kubelet stopped posting node status.\",\"lastTransitionTime\":\"$(now)\"}]}}"
container_status policies inspector Running False \
  "ready: true, restartCount: 0, state: {running: {startedAt: \"$(now)\"}}"
kubectl apply -f - <<'YAML'
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: inspector}
webhooks:
- name: pods.inspector.example
  admissionReviewVersions: [v1]
  sideEffects: None
  failurePolicy: Fail
  timeoutSeconds: 2
  clientConfig: {service: {namespace: policies, name: inspector, path: /validate}}
  namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: edge}}
  rules: [{apiGroups: [""], apiVersions: ["*"], operations: [CREATE], resources: [pods]}]
YAML
sleep 2
operator edge gateway-operator 1 gateways.edge.example
kubectl -n edge wait --for=condition=ReplicaFailure deployment/gateway-operator --timeout=60s
kubectl create namespace shop
object shop Network.v1.acme.io backbone
object shop Gateway.v1.edge.example front '{networkRef: {name: backbone}}'
finalizer shop networks.acme.io backbone acme.io/network network-operator
finalizer shop gateways.edge.example front edge.example/gateway gateway-operator
kubectl -n shop delete gateways.edge.example/front networks.acme.io/backbone --wait=false
says shop networks.acme.io backbone network-operator \
  "{conditions: [$(condition Deleted False InUse 'Gateway front still uses this network')]}"
late
