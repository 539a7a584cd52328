# metrics-server was uninstalled; its APIService stayed.
api_service v1beta1 metrics.k8s.io kube-system metrics-server
available False v1beta1.metrics.k8s.io
kubectl create namespace shop
kubectl -n shop create configmap settings --from-literal=a=b
delete_namespace shop
