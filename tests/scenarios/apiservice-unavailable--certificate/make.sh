# The certificate of an API's server is not signed by the CA in the caBundle of its APIService.
node worker Ready
answering_service ops extension worker
api_service v1 things.acme.io ops extension "$BACKEND_PORT"
kubectl patch apiservice v1.things.acme.io --type=merge \
  -p "{\"spec\":{\"insecureSkipTLSVerify\":false,\"caBundle\":\"$(base64 -w0 "$PLANE/certs/front-proxy-ca.crt")\"}}"
available False v1.things.acme.io
kubectl create namespace shop
delete_namespace shop
