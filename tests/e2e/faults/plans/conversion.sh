# A namespace has an object of a kind that cannot be read, because its conversion webhook is gone.
versions papers conv.example Paper v1 "$no_conversion"
wait_for 20 "papers are served" kubectl get papers.conv.example -A
kubectl create namespace shop
object shop Paper.v1.conv.example old
versions papers conv.example Paper v2 "$(dead_conversion gone conv)" v1
unlistable "/apis/conv.example/v2/namespaces/shop/papers?limit=5"
delete_namespace shop
