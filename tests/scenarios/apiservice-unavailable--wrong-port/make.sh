# An upgrade changed the port of the Service. The APIService still names the old one.
node worker Ready
operator monitoring adapter 1
service monitoring adapter 8443 6443
pods_ready monitoring adapter
api_service v1beta1 external.metrics.k8s.io monitoring adapter 443
available False v1beta1.external.metrics.k8s.io
kubectl create namespace shop
delete_namespace shop
