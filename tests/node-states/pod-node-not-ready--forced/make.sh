# The kubelet of one node has died, and its containers still run. Another node is healthy.
node alive Ready
kubectl create namespace shop
real_pod shop web 5 "$(container obey 1)"
runs shop web
killed kubelet
silent
kubectl -n shop delete pod web --wait=false
sleep 8
