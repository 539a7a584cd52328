# Several operators may write this kind. The one that set the finalizer is down.
node worker Ready
crd databases acme.io Database
operator ops acme-operator 1 databases.acme.io
pods_crash ops acme-operator Error 1
operator reports acme-exporter 1
kubectl create clusterrole acme-exporter --verb=get,list,watch --resource=databases.acme.io
kubectl create clusterrolebinding acme-exporter --clusterrole=acme-exporter --serviceaccount=reports:acme-exporter
pods_ready reports acme-exporter
operator guard policy-engine 1 databases.acme.io pods. deployments.apps
pods_ready guard policy-engine
leading guard policy-engine policy-engine-5d8_1
operator robots cluster-robot 1
kubectl create clusterrolebinding cluster-robot --clusterrole=cluster-admin --serviceaccount=robots:cluster-robot
pods_ready robots cluster-robot
kubectl create namespace shop
object shop Database.v1.acme.io orders
finalizer shop databases orders acme.io/backup acme-operator
delete_namespace shop
