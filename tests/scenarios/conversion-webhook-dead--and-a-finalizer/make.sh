# One kind cannot be read because its conversion webhook is dead. An object of another kind waits
# for an operator at zero replicas.
crd databases acme.io Database
versions gadgets conv.example Gadget v1 "$no_conversion"
wait_for 20 "gadgets are served" kubectl get gadgets.conv.example -A
kubectl create namespace shop
operator ops acme-operator 0 databases.acme.io
object shop Database.v1.acme.io orders
finalizer shop databases.acme.io orders acme.io/backup acme-operator
object shop Gadget.v1.conv.example old
versions gadgets conv.example Gadget v2 "$(dead_conversion ops conv)" v1
unlistable "/apis/conv.example/v2/namespaces/shop/gadgets?limit=5"
kubectl delete namespace shop --wait=false
looked shop
late
