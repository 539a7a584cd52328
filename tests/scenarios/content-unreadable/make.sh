# A row that nobody can decode makes its whole kind unlistable.
kubectl create namespace shop
kubectl -n shop create configmap settings --from-literal=a=b
kubectl -n shop create secret generic login --from-literal=a=b
"$CONTROL_PLANE" etcd-put /registry/configmaps/shop/broken garbage --endpoint "$ETCD_ENDPOINT"
delete_namespace shop
# The API server's cache goes on with what it held for half a minute.
unlistable '/api/v1/namespaces/shop/configmaps?resourceVersion=0'
