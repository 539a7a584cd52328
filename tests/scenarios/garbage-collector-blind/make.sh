# A dependent has a second owner whose CustomResourceDefinition was deleted. The garbage collector
# cannot resolve that owner, so the first owner keeps waiting.
crd schedules acme.io Schedule
kubectl create namespace shop
kubectl apply -f - <<YAML
apiVersion: acme.io/v1
kind: Schedule
metadata: {name: nightly, namespace: shop}
YAML
owned shop store
owned shop backup "" "$(owner cm store shop)" "$(owner schedules.acme.io nightly shop false)"
kubectl delete crd schedules.acme.io
unserved() { test -z "$(kubectl api-resources --api-group=acme.io -o name)"; }
wait_for 30 "the kind is no longer served" unserved
seen
foreground cm store -n shop
late
