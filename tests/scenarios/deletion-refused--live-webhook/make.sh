# A webhook that works as it should protects roles from everybody but its own
# controller. Two others answer for the same roles: one lets everything pass, one is
# dead and does not matter.
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
