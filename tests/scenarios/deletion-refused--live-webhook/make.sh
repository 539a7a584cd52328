# A working webhook denies the deletion of roles. Two other webhooks match the same roles: one
# allows everything, and one is dead but its failures are ignored.
backend ok
kubectl create namespace shop
kubectl -n shop create role inherited --verb=get --resource=pods
kubectl -n shop create configmap settings --from-literal=a=b
live_webhook Validating objects.hnc deny DELETE rbac.authorization.k8s.io roles
kubectl label validatingwebhookconfiguration objects.hnc app.kubernetes.io/part-of=hierarchical-namespaces
live_webhook Validating audit ok '"*"' '*' '"*"'
dead_webhook optional DELETE rbac.authorization.k8s.io roles
kubectl patch validatingwebhookconfiguration optional --type=json \
  -p '[{"op":"replace","path":"/webhooks/0/failurePolicy","value":"Ignore"}]'
refused() { ! kubectl -n shop delete role inherited --dry-run=server; }
wait_for 10 "the webhook is heeded" refused
delete_namespace shop
