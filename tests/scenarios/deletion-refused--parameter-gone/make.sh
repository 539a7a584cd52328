# The parameter of a policy is a ConfigMap that somebody deleted, so its binding denies everything.
# A second binding is for another namespace.
crd ledgers acme.io Ledger
kubectl create namespace shop
kubectl create namespace policies
object shop Ledger.v1.acme.io y2025
kubectl apply -f - <<'YAML'
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: retention}
spec:
  failurePolicy: Fail
  paramKind: {apiVersion: v1, kind: ConfigMap}
  matchConstraints:
    resourceRules: [{apiGroups: [acme.io], apiVersions: ["*"], operations: [DELETE], resources: [ledgers]}]
  validations: [{expression: "params.data.keep != 'yes'", message: ledgers are kept}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: retention}
spec:
  policyName: retention
  validationActions: [Deny]
  paramRef: {name: retention, namespace: policies, parameterNotFoundAction: Deny}
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: retention-elsewhere}
spec:
  policyName: retention
  validationActions: [Deny]
  paramRef: {name: none, namespace: policies, parameterNotFoundAction: Deny}
  matchResources: {namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: market}}}
YAML
refused() { ! kubectl -n shop delete ledger y2025 --dry-run=server; }
wait_for 20 "the policy is heeded" refused
delete_namespace shop
