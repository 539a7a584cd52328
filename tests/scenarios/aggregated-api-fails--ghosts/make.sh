# An extension API server accepts every DELETE but still lists the deleted objects. A ConfigMap in
# the namespace is deleted normally.
backend ok
kubectl create namespace catalog
backend_service catalog catalog
api_service v1 things.acme.io catalog catalog "$BACKEND_PORT"
available True v1.things.acme.io
served() { kubectl api-resources --api-group=things.acme.io -o name | grep things; }
wait_for 60 "discovery knows the API" served
backend_mode ghost
kubectl create namespace shop
kubectl -n shop create configmap settings --from-literal=a=b
delete_namespace shop
