# An aggregated API was unavailable for an hour and is available again as of now. The namespace
# controller has not retried yet.
backend ok
kubectl create namespace things
api_service v1 things.acme.io things things "$BACKEND_PORT"
available False v1.things.acme.io
kubectl create namespace shop
kubectl delete namespace shop --wait=false
looked shop
sleep 10
leading kube-system kube-controller-manager master-1_0c1d
manager STOP
aged 60 /registry/namespaces/shop namespace shop
backend_service things things
available True v1.things.acme.io
wait_for 20 "the API is served" kubectl get things.v1.things.acme.io -n shop
