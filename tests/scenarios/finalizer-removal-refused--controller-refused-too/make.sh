# A policy allows changes of a ledger to auditors only and refuses them to its operator too. The
# operator is scaled to zero, and starting it is not enough.
node worker Ready
crd ledgers books.acme.io Ledger
operator vault ledger-operator 0 ledgers.books.acme.io
operator web gallery 1
pods_ready web gallery
kubectl create namespace shop
object shop Ledger.v1.books.acme.io books
finalizer shop ledgers.books.acme.io books books.acme.io/closed ledger-operator
MAY_CHANGE=${MAY_CHANGE:-"request.userInfo.groups.exists(g, g == 'auditors')"}
kubectl apply -f - <<YAML
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: closed-books}
spec:
  matchConstraints:
    resourceRules: [{apiGroups: [books.acme.io], apiVersions: ["*"], operations: [UPDATE], resources: [ledgers]}]
  validations: [{expression: "$MAY_CHANGE || object.metadata.name != 'books'", message: closed books stay as they are}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: closed-books}
spec: {policyName: closed-books, validationActions: [Deny]}
YAML
refused() { ! kubectl -n shop annotate ledgers.books.acme.io books a=b --dry-run=server; }
wait_for 20 "the policy is heeded" refused
kubectl -n shop delete ledgers.books.acme.io books --wait=false
aged 30 /registry/books.acme.io/ledgers/shop/books ledgers.books.acme.io books -n shop
