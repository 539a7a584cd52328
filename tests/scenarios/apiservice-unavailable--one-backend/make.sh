# One adapter that is gone served two APIs. A third API works.
backend ok
kubectl create namespace things
backend_service things things
api_service v1 things.acme.io things things "$BACKEND_PORT"
api_service v1beta1 custom.metrics.k8s.io monitoring adapter
api_service v1beta1 external.metrics.k8s.io monitoring adapter
available True v1.things.acme.io
available False v1beta1.custom.metrics.k8s.io
available False v1beta1.external.metrics.k8s.io
kubectl create namespace shop
delete_namespace shop
