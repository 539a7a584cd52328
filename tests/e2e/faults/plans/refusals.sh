# Three objects: a webhook without a backend refuses every update of one, a policy refuses every
# update of another, and the third waits for a cluster-scoped dependent.
kubectl create namespace shop
crd items acme.io Item
crd gadgets acme.io Gadget
object shop Item.v1.acme.io locked
object shop Gadget.v1.acme.io one
finalizer shop gadgets.acme.io one acme.io/gadget nobody
owned shop store
kubectl apply -f - <<YAML
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: store-reader, ownerReferences: [$(owner cm store shop)]}
rules: []
YAML
seen
kubectl apply -f - <<'YAML'
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: noupd}
spec:
  matchConstraints:
    resourceRules: [{apiGroups: [acme.io], apiVersions: ["*"], operations: [UPDATE], resources: [items]}]
  validations: [{expression: "false", message: items stay as they are}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: noupd}
spec: {policyName: noupd, validationActions: [Deny]}
YAML
dead_webhook guard UPDATE acme.io gadgets
refused() { ! kubectl -n shop annotate item locked a=b --dry-run=server; }
wait_for 20 "the policy is heeded" refused
kubectl -n shop delete gadgets.acme.io/one --wait=false
foreground cm store -n shop
foreground item locked -n shop
late
