# An owner is deleted in the foreground. Its dependent has a finalizer and is stored in an old
# version, and the converter is scaled to zero. The garbage collector cannot delete the dependent,
# and nobody can list its kind.
versions gadgets conv.example Gadget v1 "$no_conversion"
wait_for 20 "gadgets are served" kubectl get gadgets.conv.example -A
kubectl create namespace shop
operator conversion converter 0
service conversion converter 443 9443
owned shop store
kubectl apply -f - <<YAML
apiVersion: conv.example/v1
kind: Gadget
metadata:
  name: old
  namespace: shop
  finalizers: [conv.example/unplug]
  ownerReferences: [$(owner configmap store shop)]
YAML
# The garbage collector looks for new kinds every 30 seconds. Wait until it watches this one.
owned shop first
kubectl apply -f - <<YAML
apiVersion: conv.example/v1
kind: Gadget
metadata: {name: canary, namespace: shop, ownerReferences: [$(owner configmap first shop)]}
YAML
kubectl -n shop delete configmap first
wait_for 60 "the garbage collector minds gadgets" gone gadgets.conv.example canary -n shop
versions gadgets conv.example Gadget v2 "$(dead_conversion conversion converter)" v1
unlistable "/apis/conv.example/v2/namespaces/shop/gadgets?limit=5"
foreground configmap store -n shop
late
