# Somebody set a finalizer with kubectl edit on an object of a custom kind, whose operator is at 0. That
# operator's own finalizer is on another object.
crd stacks delivery.example Stack
node worker Ready
operator delivery stack-pilot 0 stacks.delivery.example
kubectl create namespace shop
object shop Stack.v1.delivery.example north
object shop Stack.v1.delivery.example south
finalizer shop stacks.delivery.example south delivery.example/undo stack-pilot
KUBE_EDITOR="sed -i 's|^metadata:|metadata:\n  finalizers: [${KEY:-larkspur.test/ask-us-first}]|'" \
  kubectl -n shop edit stacks.delivery.example north
kubectl -n shop delete stacks.delivery.example north --wait=false
aged 30 /registry/delivery.example/stacks/shop/north stacks.delivery.example north -n shop
late
