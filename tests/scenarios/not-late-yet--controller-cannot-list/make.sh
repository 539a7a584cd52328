# An operator runs but cannot list its kind: one object in another namespace is stored in an old
# version, and the converter's pod is on a node that stopped reporting. The held object can be read.
node worker Ready
node node-2 Ready
versions gadgets conv.example Gadget v1 "$no_conversion"
wait_for 20 "gadgets are served" kubectl get gadgets.conv.example -A
kubectl create namespace attic
kubectl create namespace shop
object attic Gadget.v1.conv.example old
operator conversion converter 1
service conversion converter 443 9443
pods_ready conversion converter node-2
operator ops gadget-operator 1 gadgets.conv.example
pods_ready ops gadget-operator
versions gadgets conv.example Gadget v2 "$(dead_conversion conversion converter)" v1
wait_for 20 "gadgets are served as v2" kubectl get --raw "/apis/conv.example/v2"
object shop Gadget.v2.conv.example new
finalizer shop gadgets.v2.conv.example new conv.example/unplug gadget-operator
kubectl patch node node-2 --subresource=status --type=strategic -p "{\"status\":{\"conditions\":[{
  \"type\":\"Ready\",\"status\":\"Unknown\",\"reason\":\"NodeStatusUnknown\",
  \"message\":\"Kubelet stopped posting node status.\",\"lastTransitionTime\":\"$(now)\"}]}}"
container_status conversion converter Running False \
  "ready: true, restartCount: 0, state: {running: {startedAt: \"$(now)\"}}"
unlistable "/apis/conv.example/v2/gadgets?resourceVersion=0"
kubectl -n shop delete gadgets.v2.conv.example new --wait=false
late
