# A namespace with several kinds of objects was finalized by force. Some have finalizers and some do
# not, and one was being deleted. A healthy namespace has objects of the same names.
crd databases acme.io Database
for namespace in gone shop; do
  kubectl create namespace "$namespace"
  furnished "$namespace"
  kubectl -n "$namespace" create secret generic credentials --from-literal=password=hidden
  kubectl apply -n "$namespace" -f - <<'YAML'
apiVersion: v1
kind: ConfigMap
metadata: {name: settings, finalizers: [acme.io/mirror]}
---
apiVersion: v1
kind: Pod
metadata: {name: queued}
spec:
  automountServiceAccountToken: false
  containers: [{name: c, image: example.invalid/none}]
---
apiVersion: acme.io/v1
kind: Database
metadata: {name: orders, finalizers: [acme.io/backup, acme.io/mirror]}
---
apiVersion: acme.io/v1
kind: Database
metadata: {name: stock}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 0
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: c, image: example.invalid/none}]}
YAML
  wait_for 20 "the replica set in $namespace" kubectl -n "$namespace" wait --for=create replicaset -l app=web --timeout=1s
done
kubectl -n gone delete database orders --wait=false
force_finalize gone
late
