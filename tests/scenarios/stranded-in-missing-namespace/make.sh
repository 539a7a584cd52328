# A database was being deleted when its namespace was finalized by force.
crd databases acme.io Database
kubectl create namespace gone
kubectl apply -f - <<'YAML'
apiVersion: acme.io/v1
kind: Database
metadata: {name: orders, namespace: gone, finalizers: [acme.io/backup]}
YAML
kubectl -n gone delete database orders --wait=false
force_finalize gone
late
