# An object in another namespace cannot be decoded. This namespace has none of its kind but waits
# too, because controllers list from a cache that never becomes ready.
kubectl create namespace other
kubectl create namespace shop
"$CONTROL_PLANE" etcd-put /registry/configmaps/other/broken garbage --endpoint "$ETCD_ENDPOINT"
unlistable '/api/v1/namespaces/shop/configmaps?resourceVersion=0'
kubectl delete namespace shop --wait=false
sleep 16
