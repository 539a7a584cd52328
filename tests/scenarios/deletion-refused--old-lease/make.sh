# Leader election was switched off a while ago and has left its lease behind; the
# manager works, and a webhook refuses.
crd gadgets acme.io Gadget
kubectl create namespace shop
furnished shop
object shop Gadget.v1.acme.io one
lease kube-system kube-controller-manager master-1_0c1d 3000
dead_webhook gadgets DELETE acme.io gadgets
delete_namespace shop
