# A working policy refuses the deletion of one kind.
crd ledgers acme.io Ledger
kubectl create namespace shop
kubectl -n shop create configmap settings --from-literal=a=b
kubectl -n shop apply -f - <<'YAML'
apiVersion: acme.io/v1
kind: Ledger
metadata: {name: y2025}
YAML
kubectl apply -f - <<'YAML'
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: keep-ledgers}
spec:
  failurePolicy: Fail
  matchConstraints:
    resourceRules: [{apiGroups: [acme.io], apiVersions: ["*"], operations: [DELETE], resources: [ledgers]}]
  validations: [{expression: "false", message: ledgers are kept for ten years}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: keep-ledgers}
spec: {policyName: keep-ledgers, validationActions: [Deny]}
YAML
refused() { ! kubectl -n shop delete ledger y2025 --dry-run=server; }
wait_for 20 "the policy is heeded" refused
delete_namespace shop
