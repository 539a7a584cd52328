# A CustomResourceDefinition whose conversion webhook is gone is deleted. Its only instance is
# stored in the old version and has a finalizer, so there are two causes in a row.
versions gadgets conv.example Gadget v1 "$no_conversion"
wait_for 20 "gadgets are served" kubectl get gadgets.conv.example -A
kubectl create namespace shop
object shop Gadget.v1.conv.example old
finalizer shop gadgets.conv.example old conv.example/cleanup conv-operator
kubectl -n shop delete gadgets.conv.example old --wait=false
versions gadgets conv.example Gadget v2 "$(dead_conversion gone conv)" v1
unlistable "/apis/conv.example/v2/namespaces/shop/gadgets?limit=5"
kubectl delete crd gadgets.conv.example --wait=false
sleep 11
