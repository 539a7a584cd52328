# The namespace was deleted a moment ago.
kubectl create namespace shop
kubectl -n shop create configmap settings --from-literal=a=b
kubectl delete namespace shop --wait=false
