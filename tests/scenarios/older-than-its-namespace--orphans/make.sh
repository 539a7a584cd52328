# Somebody created the namespace again. It contains leftovers, some of which are being deleted,
# beside new objects.
crd databases acme.io Database
kubectl create namespace shop
furnished shop
kubectl apply -f - <<'YAML'
apiVersion: acme.io/v1
kind: Database
metadata: {name: orders, namespace: shop, finalizers: [acme.io/backup]}
---
apiVersion: acme.io/v1
kind: Database
metadata: {name: stock, namespace: shop}
YAML
kubectl -n shop delete database orders --wait=false
force_finalize shop
late
kubectl create namespace shop
kubectl -n shop create configmap new
