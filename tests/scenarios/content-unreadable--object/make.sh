# The target is the one object that cannot be decoded.
kubectl create namespace shop
"$CONTROL_PLANE" etcd-put /registry/configmaps/shop/broken garbage --endpoint "$ETCD_ENDPOINT"
