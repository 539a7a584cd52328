# An operator's ServiceAccount was deleted, so its pods cannot be created. The control plane of the
# tests does not check ServiceAccounts, so a policy returns the message of a real one.
crd databases acme.io Database
operator ops acme-operator 0 databases.acme.io
kubectl apply -f - <<'YAML'
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: service-accounts}
spec:
  failurePolicy: Fail
  matchConstraints:
    resourceRules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}]
  validations:
  - expression: object.spec.serviceAccountName != "acme-operator"
    message: 'error looking up service account ops/acme-operator: serviceaccount "acme-operator" not found'
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: service-accounts}
spec: {policyName: service-accounts, validationActions: [Deny]}
YAML
sleep 2
kubectl -n ops delete serviceaccount acme-operator
kubectl -n ops scale deployment acme-operator --replicas=1
kubectl create namespace shop
object shop Database.v1.acme.io orders
finalizer shop databases orders acme.io/backup acme-operator
delete_namespace shop
kubectl -n ops wait --for=condition=ReplicaFailure deployment/acme-operator --timeout=20s
