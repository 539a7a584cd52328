# Objects that name no configuration use the one called default. One names another.
node worker Ready
settled worker
crd storeconfigs larder.example StoreConfig Cluster
crd jars larder.example Jar
works 600 larder larder-controller storeconfigs.larder.example jars.larder.example
for name in default cold; do
  object "" StoreConfig.v1.larder.example $name
  finalizer "" storeconfigs.larder.example $name larder.example/in-use larder-controller
done
kubectl create namespace kitchen
object kitchen Jar.v1.larder.example plums "${PLUMS:-{size: 2\}}"
object kitchen Jar.v1.larder.example beans '{size: 1, storeConfigRef: {name: cold}}'
kubectl delete storeconfigs.larder.example default --wait=false
aged 30 /registry/larder.example/storeconfigs/default storeconfigs.larder.example default
