# The pod of a metrics adapter crashes. An unrelated Deployment crashes too.
node worker Ready
operator monitoring adapter 1
service monitoring adapter 443 6443
pods_crash monitoring adapter OOMKilled 137
operator monitoring dashboard 1
pods_crash monitoring dashboard Error 1
api_service v1beta1 custom.metrics.k8s.io monitoring adapter
api_service v1beta1 external.metrics.k8s.io monitoring adapter
available False v1beta1.custom.metrics.k8s.io
available False v1beta1.external.metrics.k8s.io
kubectl create namespace shop
delete_namespace shop
