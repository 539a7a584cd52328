# The node of a pod was deleted; the pod garbage collector will see to it.
kubectl create namespace shop
pod shop web gone-1 30
kubectl -n shop delete pod web --wait=false
late
