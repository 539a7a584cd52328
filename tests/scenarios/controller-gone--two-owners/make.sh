# Two controllers hold one object, each with its own finalizer.
crd databases acme.io Database
kubectl create namespace shop
# guard MANAGER FINALIZER applies only the fields that this controller owns.
guard() {
  kubectl -n shop apply --server-side --field-manager="$1" -f - <<YAML
apiVersion: acme.io/v1
kind: Database
metadata: {name: orders, finalizers: [$2]}
YAML
}
guard acme-operator acme.io/backup
guard dns-operator dns.example.com/records
kubectl -n shop get database orders -o yaml
delete_namespace shop
