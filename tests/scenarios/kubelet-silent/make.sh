# The node is said to be Ready and its kubelet has stopped renewing its lease. The
# node controller would mark it; it does not run either.
node alive Ready
node silent Fading
kubectl create namespace shop
pod shop web silent 1
pod shop api alive 1
kubectl -n shop delete pod web --wait=false
manager STOP
sleep 45
