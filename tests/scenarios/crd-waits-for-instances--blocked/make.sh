# A definition waits for its instance. The instance waits for a gadget, as its controller reports.
# The gadget's operator runs but cannot list its kind: one gadget is stored in an old version, and
# the converter is scaled to zero.
node worker Ready
crd networks acme.io Network
versions gadgets conv.example Gadget v1 "$no_conversion"
wait_for 20 "gadgets are served" kubectl get gadgets.conv.example -A
kubectl create namespace attic
kubectl create namespace shop
object attic Gadget.v1.conv.example old
operator ops acme-operator 1 networks.acme.io
operator gears gadget-operator 1 gadgets.conv.example
operator conversion converter 0
service conversion converter 443 9443
pods_ready ops acme-operator
pods_ready gears gadget-operator
leading ops acme-operator-leader acme-operator-7c9f_1
versions gadgets conv.example Gadget v2 "$(dead_conversion conversion converter)" v1
wait_for 20 "gadgets are served as v2" kubectl get --raw "/apis/conv.example/v2"
object shop Gadget.v2.conv.example new
finalizer shop gadgets.v2.conv.example new conv.example/unplug gadget-operator
object shop Network.v1.acme.io backbone
finalizer shop networks.acme.io backbone acme.io/network acme-operator
unlistable "/apis/conv.example/v2/gadgets?resourceVersion=0"
kubectl -n shop delete gadgets.v2.conv.example new --wait=false
kubectl delete crd networks.acme.io --wait=false
asked() { test -n "$(kubectl -n shop get networks.acme.io backbone -o jsonpath='{.metadata.deletionTimestamp}')"; }
wait_for 30 "the instance is asked to go" asked
says shop networks.acme.io backbone acme-operator \
  "{conditions: [$(condition Deleted False InUse 'Gadget new still uses this network')]}"
late
