# A node still has condition Ready, but its kubelet has stopped renewing its lease. The node
# lifecycle controller, which would mark it, does not run either.
node alive Ready
node silent Fading
kubectl create namespace shop
pod shop web silent 1
pod shop api alive 1
kubectl -n shop delete pod web --wait=false
manager STOP
sleep 45
