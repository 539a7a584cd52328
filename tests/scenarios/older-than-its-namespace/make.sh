# The product is installed again in a namespace of the same name. A leftover object is back and is
# being deleted.
crd databases acme.io Database
kubectl create namespace shop
kubectl apply -f - <<'YAML'
apiVersion: acme.io/v1
kind: Database
metadata: {name: orders, namespace: shop, finalizers: [acme.io/backup]}
YAML
kubectl -n shop delete database orders --wait=false
force_finalize shop
late
kubectl create namespace shop
