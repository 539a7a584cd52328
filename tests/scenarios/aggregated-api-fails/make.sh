# An extension API server answers discovery, but its authorizer refuses every LIST. A second
# aggregated API works.
backend ok
kubectl create namespace catalog
backend_service catalog catalog
api_service v1 things.acme.io catalog catalog "$BACKEND_PORT"
available True v1.things.acme.io
served() { kubectl api-resources --api-group=things.acme.io -o name | grep things; }
wait_for 60 "discovery knows the API" served
backend_mode list403
kubectl create namespace shop
delete_namespace shop
