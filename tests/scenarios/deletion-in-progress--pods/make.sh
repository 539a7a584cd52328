# The namespace controller deletes pods first. The grace period of this pod ended a moment ago.
node alive Ready
kubectl create namespace shop
kubectl -n shop create configmap settings --from-literal=a=b
pod shop web alive 1
kubectl delete namespace shop --wait=false
looked shop
sleep 2
