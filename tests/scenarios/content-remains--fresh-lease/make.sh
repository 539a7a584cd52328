# The namespace controller does nothing, although the controller manager's lease is fresh. The
# reason is not visible.
kubectl create namespace shop
furnished shop
leading kube-system kube-controller-manager master-1_0c1d
manager STOP
kubectl delete namespace shop --wait=false
sleep 16
