# A controller runs and says nothing about an object in a namespace that is being deleted for 30 minutes: no
# event can be made there.
crd stacks delivery.example Stack
node worker Ready
settled worker
works 600 delivery stack-pilot stacks.delivery.example
kubectl create namespace shop
object shop Stack.v1.delivery.example north
finalizer shop stacks.delivery.example north delivery.example/undo stack-pilot
delete_namespace shop
aged 30 /registry/delivery.example/stacks/shop/north stacks.delivery.example north -n shop
late
