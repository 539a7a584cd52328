# A policy forbids updates of an object, which also stops the garbage collector from removing its
# finalizer.
crd items acme.io Item
kubectl create namespace shop
object shop Item.v1.acme.io locked
object shop Item.v1.acme.io open
seen
kubectl apply -f - <<'YAML'
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: noupd}
spec:
  matchConstraints:
    resourceRules: [{apiGroups: [acme.io], apiVersions: ["*"], operations: [UPDATE], resources: [items]}]
  validations: [{expression: "object.metadata.name != 'locked'", message: locked items stay as they are}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: noupd}
spec: {policyName: noupd, validationActions: [Deny]}
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: noupd-audit}
spec: {policyName: noupd, validationActions: [Audit]}
YAML
refused() { ! kubectl -n shop annotate item locked a=b --dry-run=server; }
wait_for 20 "the policy is heeded" refused
foreground item locked -n shop
late
