# The route controller lacks the permission to create routes, so the node has no network and the
# scheduler cannot place metrics-server.
node node-1 Ready
kubectl patch node node-1 --type=merge -p '{"spec":{"providerID":"cn-hangzhou.i-bp1a2b3c","podCIDR":"10.0.3.0/24","podCIDRs":["10.0.3.0/24"]}}'
kubectl patch node node-1 --subresource=status --type=strategic -p "{\"status\":{\"conditions\":[{
  \"type\":\"NetworkUnavailable\",\"status\":\"True\",\"reason\":\"NoRouteCreated\",
  \"message\":\"RouteController failed to create a route\",\"lastTransitionTime\":\"$(now)\"}]}}"
lease kube-system cloud-controller-manager ccm-1_x
operator kube-system metrics-server 1
service kube-system metrics-server 443 4443
pods_unscheduled kube-system metrics-server "0/1 nodes are available: 1 node(s) had untolerated taint {node.kubernetes.io/network-unavailable: }. preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling."
kubectl create -f - <<YAML
apiVersion: v1
kind: Event
metadata: {generateName: node-1., namespace: default}
involvedObject: {kind: Node, name: node-1, uid: node-1}
type: Warning
reason: FailedToCreateRoute
message: "Could not create route 5a6b 10.0.3.0/24 for node node-1 after 412ms: ErrorCode: Forbidden.RAM, Message: User not authorized to operate on the specified resource, or this API doesn't support RAM."
source: {component: route_controller}
count: 31
firstTimestamp: "$(now)"
lastTimestamp: "$(now)"
YAML
api_service v1beta1 metrics.k8s.io kube-system metrics-server
available False v1beta1.metrics.k8s.io
kubectl create namespace shop
kubectl delete namespace shop --wait=false
looked shop
lease kube-system cloud-controller-manager ccm-1_x
late
