# An empty namespace whose controller does not look again: it has stopped. It has seen an object
# that was held, and is gone since.
kubectl create namespace shop
owned shop held nobody.io/a
delete_namespace shop
manager STOP
kubectl -n shop patch configmap held --type=merge -p 'metadata: {finalizers: null}'
sleep 10
