# A policy allows people to change a ledger and refuses ServiceAccounts of other namespaces,
# including the operator's.
node worker Ready
settled worker
crd ledgers books.acme.io Ledger
operator vault ledger-operator 1 ledgers.books.acme.io
pods_on worker vault ledger-operator
pods_running_since 7200 vault ledger-operator
operator web gallery 1
pods_ready web gallery
kubectl create namespace shop
object shop Ledger.v1.books.acme.io books
finalizer shop ledgers.books.acme.io books books.acme.io/closed ledger-operator
policy=${POLICY:-own-accounts-only}
allows=${ALLOWS:-"!variables.byMachine || request.userInfo.username.startsWith('system:serviceaccount:shop:')"}
kubectl apply -f - <<YAML
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: $policy}
spec:
  matchConstraints:
    resourceRules: [{apiGroups: [books.acme.io], apiVersions: ["*"], operations: [UPDATE], resources: [ledgers]}]
  variables: [{name: byMachine, expression: "request.userInfo.username.startsWith('system:serviceaccount:')"}]
  validations:
  - {expression: "$allows", message: "${REFUSES:-only accounts of the shop write here}"}
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: $policy}
spec: {policyName: $policy, validationActions: [Deny]}
YAML
refused() { ! kubectl -n shop annotate ledgers.books.acme.io books a=b --dry-run=server --as=system:serviceaccount:${STRANGER:-vault:ledger-operator}; }
wait_for 20 "the policy is heeded" refused
kubectl -n shop delete ledgers.books.acme.io books --wait=false
aged 3600 /registry/books.acme.io/ledgers/shop/books ledgers.books.acme.io books -n shop
