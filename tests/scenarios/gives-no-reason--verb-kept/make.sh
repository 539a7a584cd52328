# Like permissions-missing--verb-lost, but the operator still may patch ConfigMaps. It handles
# something else, and nobody took a permission from it.
node worker Ready
operator locks ticket-controller 1 configmaps.
pods_ready locks ticket-controller
operator web gallery 1
pods_ready web gallery
kubectl create namespace shop
kubectl -n shop create configmap settings
finalizer shop configmap settings tickets.acme.io/turn OpenAPI-Generator
kubectl -n shop delete configmap settings --wait=false
aged 30 /registry/configmaps/shop/settings configmap settings -n shop
pods_running_since 300 locks ticket-controller
