# What `kubectl unstick demo` shows: a shop is deleted on a cluster with several faults.
crd databases acme.io Database

# metrics-server was uninstalled, and one node is lost.
api_service v1beta1 metrics.k8s.io kube-system metrics-server
node node-1 Ready
node node-3 NotReady

# A database operator at zero replicas.
operator ops acme-operator 0 databases.acme.io

# The shop: its frontend on the lost node, and its database.
kubectl create namespace shop
kubectl -n shop create configmap settings --from-literal=currency=eur
kubectl -n shop create secret generic payment --from-literal=key=not-a-real-one
kubectl -n shop create service clusterip web --tcp=80:8080
kubectl -n shop apply -f - <<'YAML'
apiVersion: v1
kind: Pod
metadata: {name: web-5d9c8b7f64-x2k9p, labels: {app: web, pod-template-hash: 5d9c8b7f64}}
spec:
  nodeName: node-3
  containers: [{name: web, image: example.invalid/web}]
YAML
# The controllers adopt what matches their selectors, so the names are fixed.
kubectl -n shop apply -f - <<'YAML'
apiVersion: apps/v1
kind: ReplicaSet
metadata: {name: web-5d9c8b7f64, labels: {app: web, pod-template-hash: 5d9c8b7f64}}
spec:
  replicas: 1
  selector: {matchLabels: {app: web, pod-template-hash: 5d9c8b7f64}}
  template:
    metadata: {labels: {app: web, pod-template-hash: 5d9c8b7f64}}
    spec: {containers: [{name: web, image: example.invalid/web}]}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  paused: true
  replicas: 1
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: example.invalid/web}]}
YAML
adopted() { is web '{.metadata.ownerReferences[0].name}' rs web-5d9c8b7f64 -n shop &&
  is web-5d9c8b7f64 '{.metadata.ownerReferences[0].name}' pod web-5d9c8b7f64-x2k9p -n shop; }
wait_for 20 "the Deployment's chain" adopted
phase shop web-5d9c8b7f64-x2k9p Running
kubectl -n shop apply --field-manager=acme-operator -f - <<'YAML'
apiVersion: acme.io/v1
kind: Database
metadata: {name: orders, finalizers: [acme.io/backup]}
YAML

# An older shop, of which only settings are left, and a dead webhook that guards them.
kubectl create namespace legacy
for name in settings prices; do kubectl -n legacy create configmap $name --from-literal=a=b; done
kubectl label namespace legacy guarded=true
dead_webhook guard DELETE "" configmaps "{matchLabels: {guarded: 'true'}}"

# A healthy shop.
kubectl create namespace market
pod market web-1 node-1 30
kubectl -n market create configmap settings --from-literal=currency=eur

kubectl -n shop delete database orders --wait=false
delete_namespace shop legacy
