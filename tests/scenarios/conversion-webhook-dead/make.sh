# Objects of a kind are stored in an old version and the kind's conversion webhook is gone, so no
# client can list it, including the namespace controller. Another kind has the same dead webhook but
# only one version, so it needs no conversion.
versions gadgets conv.example Gadget v1 "$no_conversion"
versions gizmos conv.example Gizmo v1 "$(dead_conversion gone conv)"
wait_for 20 "gadgets are served" kubectl get gadgets.conv.example,gizmos.conv.example -A
kubectl create namespace shop
object shop Gadget.v1.conv.example old
object shop Gizmo.v1.conv.example fine
versions gadgets conv.example Gadget v2 "$(dead_conversion gone conv)" v1
unlistable "/apis/conv.example/v2/namespaces/shop/gadgets?limit=5"
kubectl delete namespace shop --wait=false
looked shop
late
