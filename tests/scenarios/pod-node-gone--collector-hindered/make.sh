# A dead webhook refuses the pod garbage collector's deletion of a pod whose node is gone.
node alive Ready
kubectl create namespace shop
pod shop web gone-1 30
pod shop api alive 30
kubectl -n shop delete pod web --wait=false
dead_webhook pods DELETE "" pods
sleep 95
