# The kubelet has been down for an hour, and a pod was deleted in that time. Another node is
# healthy.
node alive Ready
kubectl create namespace shop
real_pod shop web 5 "$(container obey 1)"
runs shop web
killed kubelet
silent
kubectl -n shop delete pod web --wait=false
aged 60 /registry/pods/shop/web pod web -n shop
