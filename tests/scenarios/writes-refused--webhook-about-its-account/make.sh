# A webhook without a backend is called only for writes of ServiceAccounts: it does not affect
# people, but stops the operator.
node worker Ready
crd exports tallyho.dev Export
operator tally tallyho 1 exports.tallyho.dev
pods_ready tally tallyho
kubectl create namespace fin
object fin Export.v1.tallyho.dev q3 '{quarter: 3}'
finalizer fin exports.tallyho.dev q3 tallyho.dev/ledger tallyho
kubectl -n fin delete exports.tallyho.dev q3 --wait=false
operator robots robot-guard 0
service robots robot-guard 443 8443
kubectl apply -f - <<'YAML'
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: robot-guard}
webhooks:
- name: robots.tallyho.dev
  admissionReviewVersions: [v1]
  sideEffects: None
  failurePolicy: Fail
  clientConfig: {service: {namespace: robots, name: robot-guard}}
  matchConditions: [{name: robots, expression: "request.userInfo.username.startsWith('system:serviceaccount:')"}]
  rules: [{apiGroups: [tallyho.dev], apiVersions: ["*"], operations: [UPDATE], resources: [exports]}]
YAML
late
