# A dead webhook that must be asked about everything: about the tokens of the
# controllers too, so that the namespace's conditions stand still.
kubectl create namespace shop
furnished shop
kubectl -n shop create configmap settings --from-literal=a=b
manager STOP
kubectl delete namespace shop --wait=false
dead_webhook everything '"*"' '*' '"*/*"'
manager CONT
sleep 16
