# A custom resource whose controller is gone holds its namespace.
crd databases acme.io Database
kubectl create namespace shop
kubectl -n shop apply --field-manager=acme-operator -f - <<'YAML'
apiVersion: acme.io/v1
kind: Database
metadata: {name: orders, finalizers: [acme.io/backup]}
YAML
kubectl -n shop create configmap settings --from-literal=a=b
# A similar object that is not being deleted.
kubectl create namespace calm
kubectl -n calm apply -f - <<'YAML'
apiVersion: acme.io/v1
kind: Database
metadata: {name: orders, finalizers: [acme.io/backup]}
YAML
delete_namespace shop
