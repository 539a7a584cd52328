# A proxy in front of an aggregated API answers every request with a web page. The API still counts
# as available, but nobody can tell what it contains.
backend ok
kubectl create namespace things
backend_service things things
api_service v1 things.acme.io things things "$BACKEND_PORT"
available True v1.things.acme.io
served() { kubectl api-resources --api-group=things.acme.io -o name | grep things; }
wait_for 20 "discovery knows the API" served
backend_mode dischtml
# A change of the APIService makes the API server read its discovery again at once.
kubectl annotate apiservice v1.things.acme.io looked=again
unknown() { ! served; }
wait_for 90 "discovery has lost it" unknown
kubectl create namespace shop
delete_namespace shop
available True v1.things.acme.io
