# A tenant disguised a workload as a product's operator, with a Deployment, a ServiceAccount and a
# Lease of the right names and with the installer's labels. A Secret of the tenant has the
# operator's finalizer and field manager. The product itself is gone, but its ClusterRole remains.
node worker Ready
crd vaults acme.io Vault
released_by ops acme-operator crd vaults.acme.io
rights acme-operator vaults.acme.io
kubectl patch clusterrole acme-operator --type=json -p '[{"op": "add", "path": "/rules/-",
  "value": {"apiGroups": [""], "resources": ["secrets"], "verbs": ["*"]}}]'
service_account evil acme-operator
deployment evil acme-operator 1
kubectl -n evil annotate deployment acme-operator --overwrite meta.helm.sh/release-namespace=ops
pods_ready evil acme-operator
leading evil acme-operator-leader acme-operator-7c9f_1
kubectl create namespace evil-2
kubectl -n evil-2 create secret generic keys --from-literal=a=b
finalizer evil-2 secret keys acme.io/seal acme-operator
delete_namespace evil-2
