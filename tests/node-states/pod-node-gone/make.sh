# The Node object was deleted after its kubelet had died.
node alive Ready
kubectl create namespace shop
real_pod shop web 30 "$(container obey 1)"
runs shop web
killed kubelet
kubectl delete node worker
kubectl -n shop delete pod web --wait=false
late
