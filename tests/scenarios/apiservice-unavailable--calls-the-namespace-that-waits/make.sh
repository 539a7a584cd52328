# The server of an aggregated API reads from a database in a namespace. The namespace is deleted and the database with
# it, so that the server is no longer ready, and the namespace waits for the API. Another Deployment calls a Service that
# is there.
node worker Ready
settled worker
told infra adapter 1 "env: [{name: STORE_URL, value: 'http://store.${STORE:-shop}.svc:8080'}]"
service infra adapter 443 6443
told infra reporter 1 'env: [{name: ADAPTER_URL, value: "http://adapter.infra.svc:443"}]'
pods_ready infra reporter
pods_on worker infra adapter
began=$(date -u -d '-2 hours' +%FT%TZ)
container_status infra adapter Running False "ready: false, restartCount: 0, state: {running: {startedAt: \"$began\"}}"
old 120 "/registry/pods/infra/$(pods_of infra adapter)" pod "$(pods_of infra adapter)" -n infra
api_service v1beta1 custom.metrics.k8s.io infra adapter
available False v1beta1.custom.metrics.k8s.io
kubectl create namespace shop
kubectl create namespace depot
service shop store 8080
service depot store 8080
delete_namespace shop
