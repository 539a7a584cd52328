# The one row in another version is in another namespace. No controller can list
# the kind for that, from the cache, in this one either, which holds none.
versions gadgets conv.example Gadget v1 "$no_conversion"
wait_for 20 "gadgets are served" kubectl get gadgets.conv.example -A
kubectl create namespace other
kubectl create namespace shop
object other Gadget.v1.conv.example old
versions gadgets conv.example Gadget v2 "$(dead_conversion gone conv)" v1
unlistable "/apis/conv.example/v2/namespaces/other/gadgets?limit=5"
kubectl delete namespace shop --wait=false
sleep 16
