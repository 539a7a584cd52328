# The node that runs an API's server stops reporting. Another node is healthy.
node worker Ready
node node-3 Ready
operator calico-apiserver calico-api 1
service calico-apiserver calico-api 443 5443
pods_ready calico-apiserver calico-api node-3
api_service v3 projectcalico.org calico-apiserver calico-api
kubectl patch node node-3 --subresource=status --type=strategic -p "{\"status\":{\"conditions\":[{
  \"type\":\"Ready\",\"status\":\"Unknown\",\"reason\":\"NodeStatusUnknown\",
  \"message\":\"Kubelet stopped posting node status.\",\"lastTransitionTime\":\"$(now)\"}]}}"
# The node lifecycle controller then marks the pods not Ready.
container_status calico-apiserver calico-api Running False \
  "ready: true, restartCount: 0, state: {running: {startedAt: \"$(now)\"}}"
available False v3.projectcalico.org
kubectl create namespace shop
delete_namespace shop
