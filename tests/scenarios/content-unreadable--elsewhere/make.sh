# A row that nobody can decode is in another namespace. This one holds none, and
# waits all the same: controllers list from a cache that never gets ready.
kubectl create namespace other
kubectl create namespace shop
"$CONTROL_PLANE" etcd-put /registry/configmaps/other/broken garbage --endpoint "$ETCD_ENDPOINT"
unlistable '/api/v1/namespaces/shop/configmaps?resourceVersion=0'
kubectl delete namespace shop --wait=false
sleep 16
