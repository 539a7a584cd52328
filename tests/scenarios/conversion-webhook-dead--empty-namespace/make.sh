# The only object that needs conversion is in another namespace. Controllers cannot list the kind
# from the cache in any namespace, not even in this one, which has none.
versions gadgets conv.example Gadget v1 "$no_conversion"
wait_for 20 "gadgets are served" kubectl get gadgets.conv.example -A
kubectl create namespace other
kubectl create namespace shop
object other Gadget.v1.conv.example old
versions gadgets conv.example Gadget v2 "$(dead_conversion gone conv)" v1
unlistable "/apis/conv.example/v2/namespaces/other/gadgets?limit=5"
kubectl delete namespace shop --wait=false
sleep 16
