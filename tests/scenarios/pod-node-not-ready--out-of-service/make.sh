# A dead node was tainted as out of service a moment ago.
node silent NotReady
kubectl create namespace shop
pod shop db-0 silent 1
manager STOP
kubectl -n shop delete pod db-0 --wait=false
kubectl taint node silent node.kubernetes.io/out-of-service=nodeshutdown:NoExecute
sleep 12
