# Two namespaces are stuck for the same two reasons.
crd databases acme.io Database
api_service v1beta1 metrics.k8s.io kube-system metrics-server
available False v1beta1.metrics.k8s.io
for namespace in a b; do
  kubectl create namespace $namespace
  kubectl -n $namespace apply --field-manager=acme-operator -f - <<YAML
apiVersion: acme.io/v1
kind: Database
metadata: {name: orders, finalizers: [acme.io/backup]}
YAML
done
delete_namespace a b
