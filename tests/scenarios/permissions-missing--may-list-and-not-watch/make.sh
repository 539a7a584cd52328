# An operator may list and change its kind but not watch it, so it is not notified of changes.
node worker Ready
settled worker
crd kilns clay.example Kiln
service_account clay kiln-operator
kubectl apply -f - <<YAML
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: kiln-operator}
rules:
- {apiGroups: [clay.example], resources: [kilns], verbs: [get, list, ${MORE:-}update, patch]}
- {apiGroups: [clay.example], resources: [kilns/status, kilns/finalizers], verbs: [update, patch]}
YAML
kubectl create clusterrolebinding kiln-operator --clusterrole=kiln-operator --serviceaccount=clay:kiln-operator
deployment clay kiln-operator 1
pods_on worker clay kiln-operator
pods_running_since 600 clay kiln-operator
works 600 ops glaze-operator configmaps.
kubectl create namespace pottery
for name in blue red; do
  object pottery Kiln.v1.clay.example $name
  finalizer pottery kilns.clay.example $name clay.example/cool kiln-operator
done
kubectl -n pottery delete kilns.clay.example blue --wait=false
late
aged 30 /registry/clay.example/kilns/pottery/blue kilns.clay.example blue -n pottery
