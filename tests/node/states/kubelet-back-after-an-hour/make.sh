# The kubelet was away for an hour, in which a pod was deleted. Another node is well.
node alive Ready
kubectl create namespace shop
real_pod shop web 5 "$(container obey 1)"
runs shop web
killed kubelet
silent
kubectl -n shop delete pod web --wait=false
aged 60 /registry/pods/shop/web pod web -n shop
