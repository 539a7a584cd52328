# An aggregated API has a Service without pods.
kubectl create namespace monitoring
kubectl -n monitoring create service clusterip adapter --tcp=443:6443
api_service v1beta1 custom.metrics.k8s.io monitoring adapter
available False v1beta1.custom.metrics.k8s.io
kubectl create namespace shop
delete_namespace shop
