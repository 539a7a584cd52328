# An operator guards ConfigMaps in its users' namespaces. It has no kind of its own, uses a common
# field manager, and is not named like its finalizer. Only a Role names its account. A cache and a
# cluster-admin robot are unrelated.
node worker Ready
kubectl create namespace shop
service_account shop warden
kubectl -n shop create role warden --verb=get,list,watch,update,patch --resource=configmaps
kubectl -n shop create rolebinding warden --role=warden --serviceaccount=shop:warden
deployment shop warden 1
pods_ready shop warden
deployment shop cache 1
service_account shop cache
pods_ready shop cache
operator robots cluster-robot 1
kubectl create clusterrolebinding cluster-robot --clusterrole=cluster-admin --serviceaccount=robots:cluster-robot
pods_ready robots cluster-robot
kubectl -n shop create configmap settings
finalizer shop configmap settings guard.acme.io/keep kopf
kubectl -n shop delete configmap settings --wait=false
aged 30 /registry/configmaps/shop/settings configmap settings -n shop
pods_running_since 300 shop warden
