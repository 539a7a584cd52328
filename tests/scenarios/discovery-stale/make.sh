# Something in front of an aggregated API answers every question about it with a
# web page: the API passes for available, and nobody can tell what is in it.
backend ok
kubectl create namespace things
backend_service things things
api_service v1 things.acme.io things things "$BACKEND_PORT"
available True v1.things.acme.io
served() { kubectl api-resources --api-group=things.acme.io -o name | grep things; }
wait_for 20 "discovery knows the API" served
backend_mode dischtml
# It is looked into at once when its APIService changes.
kubectl annotate apiservice v1.things.acme.io looked=again
unknown() { ! served; }
wait_for 90 "discovery has lost it" unknown
kubectl create namespace shop
delete_namespace shop
available True v1.things.acme.io
