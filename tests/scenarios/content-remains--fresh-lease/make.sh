# The namespace controller has not begun, and yet a controller manager leads: why
# does not show.
kubectl create namespace shop
furnished shop
leading kube-system kube-controller-manager master-1_0c1d
manager STOP
kubectl delete namespace shop --wait=false
sleep 16
