# Somebody deleted the Service by mistake. The server behind it still runs.
node worker Ready
operator monitoring adapter 1
pods_ready monitoring adapter
api_service v1beta1 custom.metrics.k8s.io monitoring adapter-api
released_by monitoring adapter apiservice v1beta1.custom.metrics.k8s.io
available False v1beta1.custom.metrics.k8s.io
kubectl create namespace shop
delete_namespace shop
# Wait longer than an installation in progress could take.
sleep 10
