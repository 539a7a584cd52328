# The node is well and its kubelet does not say that the pod is over.
node alive Ready
kubectl create namespace shop
pod shop web alive 1
pod shop api alive 1
kubectl -n shop delete pod web --wait=false
sleep 12
