# The server of an API got a new certificate, and its APIService still vouches for
# the old authority.
node worker Ready
answering_service ops extension worker
api_service v1 things.acme.io ops extension "$BACKEND_PORT"
kubectl patch apiservice v1.things.acme.io --type=merge \
  -p "{\"spec\":{\"insecureSkipTLSVerify\":false,\"caBundle\":\"$(base64 -w0 "$PLANE/certs/front-proxy-ca.crt")\"}}"
available False v1.things.acme.io
kubectl create namespace shop
delete_namespace shop
