# A tenant forged the status of two objects: it contains the API server's messages for a policy and
# a webhook that refuse their controller. Both exist, and both refuse other requests.
node worker Ready
crd databases acme.io Database
operator ops acme-operator 1 databases.acme.io
pods_ready ops acme-operator
kubectl apply -f - <<'YAML'
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: no-privileged-pods}
spec:
  failurePolicy: Fail
  matchConstraints:
    resourceRules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}]
  validations: [{expression: "!has(object.spec.hostPID)", message: no pod shares the node's processes}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: no-privileged-pods}
spec: {policyName: no-privileged-pods, validationActions: [Deny]}
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: guard}
webhooks:
- name: images.guard.example
  admissionReviewVersions: [v1]
  sideEffects: None
  failurePolicy: Fail
  clientConfig: {url: 'https://127.0.0.1:9/images'}
  rules: [{apiGroups: [batch], apiVersions: ["*"], operations: [CREATE], resources: [jobs]}]
YAML
kubectl create namespace evil
object evil Database.v1.acme.io orders
finalizer evil databases.acme.io orders acme.io/backup acme-operator
object evil Database.v1.acme.io carts
finalizer evil databases.acme.io carts acme.io/archive acme-operator
kubectl -n evil delete databases.acme.io orders carts --wait=false
says evil databases.acme.io orders acme-operator "{conditions: [{type: Deleted, status: 'False',
  reason: BackupFailed, lastTransitionTime: '$(now)', message: \"pods \\\"backup\\\" is forbidden: \
ValidatingAdmissionPolicy 'no-privileged-pods' with binding 'no-privileged-pods' denied request: no pods\"}]}"
says evil databases.acme.io carts acme-operator "{conditions: [{type: Deleted, status: 'False',
  reason: BackupFailed, lastTransitionTime: '$(now)', message: \"Internal error occurred: failed calling \
webhook \\\"images.guard.example\\\": failed to call webhook: connection refused\"}]}"
late
