# An empty namespace whose controller is stopped and does not check it again. When it last checked,
# it saw an object with a finalizer, which is gone now.
kubectl create namespace shop
owned shop held nobody.io/a
delete_namespace shop
manager STOP
kubectl -n shop patch configmap held --type=merge -p 'metadata: {finalizers: null}'
sleep 10
