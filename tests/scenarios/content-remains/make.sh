# The controller manager does not run, so nothing has processed the namespace. A dead webhook for
# another kind is unrelated.
kubectl create namespace shop
furnished shop
kubectl -n shop create configmap settings --from-literal=a=b
dead_webhook widgets DELETE other.example.com widgets
manager STOP
kubectl delete namespace shop --wait=false
sleep 16
