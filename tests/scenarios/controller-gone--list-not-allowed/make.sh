# An aggregated API supports neither LIST nor DELETE of a collection, which is not an error. A
# finalizer holds the namespace.
backend list405
kubectl create namespace catalog
backend_service catalog catalog
api_service v1 things.acme.io catalog catalog "$BACKEND_PORT"
available True v1.things.acme.io
served() { kubectl api-resources --api-group=things.acme.io -o name | grep things; }
wait_for 60 "discovery knows the API" served
kubectl create namespace shop
kubectl -n shop apply --field-manager=acme-operator -f - <<'YAML'
apiVersion: v1
kind: ConfigMap
metadata: {name: state, finalizers: [acme.io/state]}
YAML
delete_namespace shop
