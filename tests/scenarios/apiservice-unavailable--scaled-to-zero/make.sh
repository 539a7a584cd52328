# metrics-server was scaled to zero to save resources. Another product's API works.
backend ok
kubectl create namespace things
backend_service things things
api_service v1 things.acme.io things things "$BACKEND_PORT"
operator kube-system metrics-server 0
service kube-system metrics-server 443 4443
api_service v1beta1 metrics.k8s.io kube-system metrics-server
released_by kube-system metrics-server apiservice v1beta1.metrics.k8s.io
available True v1.things.acme.io
available False v1beta1.metrics.k8s.io
kubectl create namespace shop
delete_namespace shop
