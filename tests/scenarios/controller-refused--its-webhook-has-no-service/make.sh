# A controller reports that it cannot update a ConfigMap, because a webhook cannot be called, whose Service does
# not exist. Its own objects can be changed.
crd stacks delivery.example Stack
node worker Ready
settled worker
works 600 delivery stack-pilot stacks.delivery.example
kubectl create namespace shop
object shop Stack.v1.delivery.example north
finalizer shop stacks.delivery.example north delivery.example/undo stack-pilot
kubectl -n shop delete stacks.delivery.example north --wait=false
says shop stacks.delivery.example north stack-pilot \
  "{conditions: [$(condition Ready False UpdateFailed 'cannot update ConfigMap shop/index: Internal error occurred: failed calling webhook "gatehouse.acme.io": failed to call webhook: Post "https://gatehouse.ops.svc:443/validate?timeout=10s": service "gatehouse" not found')]}"
aged 30 /registry/delivery.example/stacks/shop/north stacks.delivery.example north -n shop
namespace ops
dead_webhook gatehouse UPDATE "" configmaps
late
