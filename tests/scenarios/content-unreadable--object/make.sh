# Somebody asks about the one object whose row cannot be decoded.
kubectl create namespace shop
"$CONTROL_PLANE" etcd-put /registry/configmaps/shop/broken garbage --endpoint "$ETCD_ENDPOINT"
