# A definition is deleted whose conversion webhook is gone, and its one instance has finalizers
# that nobody answers for.
versions papers conv.example Paper v1 "$no_conversion"
wait_for 20 "papers are served" kubectl get papers.conv.example -A
kubectl create namespace shop
object shop Paper.v1.conv.example old
finalizer shop papers.conv.example old conv.example/cleanup nobody
kubectl -n shop delete papers.conv.example old --wait=false
versions papers conv.example Paper v2 "$(dead_conversion gone conv)" v1
unlistable "/apis/conv.example/v2/namespaces/shop/papers?limit=5"
kubectl delete crd papers.conv.example --wait=false
sleep 11
