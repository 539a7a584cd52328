# An object in etcd that cannot be decoded makes its whole kind unlistable.
kubectl create namespace shop
kubectl -n shop create configmap settings --from-literal=a=b
kubectl -n shop create secret generic login --from-literal=a=b
"$CONTROL_PLANE" etcd-put /registry/configmaps/shop/broken garbage --endpoint "$ETCD_ENDPOINT"
delete_namespace shop
# For half a minute the API server's cache still serves the old content.
unlistable '/api/v1/namespaces/shop/configmaps?resourceVersion=0'
