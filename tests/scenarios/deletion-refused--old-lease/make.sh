# Leader election was switched off and left an old lease behind. The controller manager works, and a
# webhook refuses a deletion.
crd gadgets acme.io Gadget
kubectl create namespace shop
furnished shop
object shop Gadget.v1.acme.io one
lease kube-system kube-controller-manager master-1_0c1d 3000
dead_webhook gadgets DELETE acme.io gadgets
delete_namespace shop
