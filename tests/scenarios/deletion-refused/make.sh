# A webhook that must be asked before a gadget may go does not exist any more.
# Two others like it have no part in it.
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
