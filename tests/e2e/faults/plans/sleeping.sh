# An empty namespace whose controller sleeps.
kubectl create namespace shop
furnished shop
kubectl delete namespace shop --wait=false
manager STOP
every 5 renew kube-system kube-controller-manager <&3 >/dev/null 2>&1 &
late
