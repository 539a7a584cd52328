# The node of a pod was deleted, and the pod garbage collector is about to delete the pod.
kubectl create namespace shop
pod shop web gone-1 30
kubectl -n shop delete pod web --wait=false
late
