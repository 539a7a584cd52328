# The program that archives charts has field manager "keeper", and its Deployment has another name.
# Only its permission to write ConfigMaps suggests that it may be in this cluster.
node worker Ready
settled worker
operator tools janitor 1 configmaps.
pods_on worker tools janitor
pods_running_since 7200 tools janitor
operator web gallery 1
pods_ready web gallery
kubectl create namespace shop
kubectl -n shop create configmap chart --from-literal=a=b
finalizer shop configmaps chart books.example.org/archive keeper
kubectl -n shop delete configmap chart --wait=false
aged 3600 /registry/configmaps/shop/chart configmaps chart -n shop
