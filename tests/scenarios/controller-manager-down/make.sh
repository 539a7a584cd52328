# The controller manager does not run, so nothing empties namespaces. An operator's lease is old
# too, but is unrelated.
kubectl create namespace shop
furnished shop
lease kube-system kube-controller-manager master-1_0c1d 300
lease kube-system acme-operator worker_1 900
manager STOP
kubectl delete namespace shop --wait=false
sleep 16
