# The same right after it happened: the cache still shows what it held, and the
# ConfigMap that is left in it is fine.
kubectl create namespace shop
furnished shop
kubectl -n shop create configmap settings --from-literal=a=b
"$CONTROL_PLANE" etcd-put /registry/configmaps/shop/broken garbage --endpoint "$ETCD_ENDPOINT"
delete_namespace shop
