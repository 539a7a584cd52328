# A policy lets those write a ledger who have a right of its own, which the operator's account lacks. Nothing but
# a dry run as that account shows it. KEEPER has it.
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
kubectl create clusterrole bookkeeper --verb=get --resource=ledgers.books.acme.io/close
kubectl create clusterrolebinding bookkeeper --clusterrole=bookkeeper \
  --serviceaccount="${KEEPER:-web:gallery}"
kubectl apply -f - <<'YAML'
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: bookkeepers-only}
spec:
  matchConstraints:
    resourceRules: [{apiGroups: [books.acme.io], apiVersions: ["*"], operations: [UPDATE], resources: [ledgers]}]
  validations:
  - {expression: "authorizer.group('books.acme.io').resource('ledgers').subresource('close').check('get').allowed()", message: only bookkeepers close a ledger}
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: bookkeepers-only}
spec: {policyName: bookkeepers-only, validationActions: [Deny]}
YAML
refused() { ! kubectl -n shop annotate ledgers.books.acme.io books a=b --dry-run=server --as=system:serviceaccount:default:default; }
wait_for 20 "the policy is heeded" refused
kubectl -n shop delete ledgers.books.acme.io books --wait=false
aged 3600 /registry/books.acme.io/ledgers/shop/books ledgers.books.acme.io books -n shop
