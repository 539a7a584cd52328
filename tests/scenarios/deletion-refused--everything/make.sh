# A dead webhook is called for everything, including the tokens of the controllers, so nothing
# updates the namespace's conditions.
kubectl create namespace shop
furnished shop
kubectl -n shop create configmap settings --from-literal=a=b
manager STOP
kubectl delete namespace shop --wait=false
dead_webhook everything '"*"' '*' '"*/*"'
manager CONT
sleep 16
