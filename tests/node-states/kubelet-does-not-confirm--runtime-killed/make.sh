# The container runtime of the node has died, and its kubelet is healthy.
node alive Ready
kubectl create namespace shop
real_pod shop web 5 "$(container obey 1)"
runs shop web
killed containerd
kubectl -n shop delete pod web --wait=false
sleep 12
