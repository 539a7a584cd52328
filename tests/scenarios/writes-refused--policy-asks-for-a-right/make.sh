# A policy lets those write a ledger who have a right of its own, which the operator's account lacks. Nothing but
# a dry run as that account shows it. KEEPER has it.
kubectl apply -f - <<'YAML'
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: bookkeeper}
rules: [{apiGroups: [books.acme.io], resources: [ledgers/close], verbs: [get]}]
YAML
kubectl create clusterrolebinding bookkeeper --clusterrole=bookkeeper --serviceaccount="${KEEPER:-web:gallery}"
POLICY=bookkeepers-only REFUSES="only bookkeepers close a ledger" STRANGER=default:default
ALLOWS="authorizer.group('books.acme.io').resource('ledgers').subresource('close').check('get').allowed()"
twin_of writes-refused--policy-refuses-its-account
