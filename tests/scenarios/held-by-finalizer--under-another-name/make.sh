# The program that archives charts writes as "keeper", and its Deployment is called otherwise: only its right to
# write ConfigMaps is left to tell that it may be here.
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
