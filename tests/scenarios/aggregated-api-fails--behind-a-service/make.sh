# The storage of an extension API server is down, so LIST returns 503. Its pod is Ready.
node worker Ready
backend_mode ok
answering_service ops extension worker
api_service v1 things.acme.io ops extension "$BACKEND_PORT"
available True v1.things.acme.io
served() { kubectl api-resources --api-group=things.acme.io -o name | grep things; }
wait_for 60 "discovery knows the API" served
kubectl create namespace shop
kubectl delete namespace shop --wait=false
backend_mode list503
looked shop
late
