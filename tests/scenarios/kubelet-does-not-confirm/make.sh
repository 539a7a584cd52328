# The node is healthy, and its kubelet does not confirm the end of the pod.
node alive Ready
kubectl create namespace shop
pod shop web alive 1
pod shop api alive 1
kubectl -n shop delete pod web --wait=false
sleep 12
