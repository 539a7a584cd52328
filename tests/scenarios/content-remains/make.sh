# The controller manager stands still: nobody has begun with the namespace. A dead
# webhook that is asked about other things has no part in it.
kubectl create namespace shop
furnished shop
kubectl -n shop create configmap settings --from-literal=a=b
dead_webhook widgets DELETE other.example.com widgets
manager STOP
kubectl delete namespace shop --wait=false
sleep 16
