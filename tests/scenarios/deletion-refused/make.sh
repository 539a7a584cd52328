# The webhook that is called when a gadget is deleted no longer exists. Two similar dead webhooks
# are unrelated.
crd databases acme.io Database
crd gadgets acme.io Gadget
kubectl create namespace shop
kubectl -n shop create configmap settings --from-literal=a=b
for name in one two; do
  kubectl -n shop apply -f - <<YAML
apiVersion: acme.io/v1
kind: Gadget
metadata: {name: $name}
---
apiVersion: acme.io/v1
kind: Database
metadata: {name: $name}
YAML
done
dead_webhook gadgets DELETE acme.io gadgets
dead_webhook databases CREATE acme.io databases
dead_webhook widgets DELETE other.example.com widgets
delete_namespace shop
