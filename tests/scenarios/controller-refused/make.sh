# A healthy operator has to create a Job before it releases a database, and its status reports why
# it cannot: the webhook for Jobs is behind a Deployment at zero replicas. A second dead webhook of
# the same product is called for another kind.
node worker Ready
crd databases acme.io Database
operator ops acme-operator 1 databases.acme.io
pods_ready ops acme-operator
operator guard job-guard 0
service guard job-guard 443 9443
kubectl apply -f - <<'YAML'
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: job-guard}
webhooks:
- name: jobs.guard.example
  admissionReviewVersions: [v1]
  sideEffects: None
  failurePolicy: Fail
  clientConfig: {service: {namespace: guard, name: job-guard, path: /jobs}}
  rules: [{apiGroups: [batch], apiVersions: ["*"], operations: [CREATE], resources: [jobs]}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: crowd-guard}
webhooks:
- name: crowds.guard.example
  admissionReviewVersions: [v1]
  sideEffects: None
  failurePolicy: Fail
  clientConfig: {service: {namespace: guard, name: job-guard, path: /crowds}}
  rules: [{apiGroups: [batch], apiVersions: ["*"], operations: [CREATE], resources: [cronjobs]}]
YAML
sleep 2
kubectl create namespace shop
object shop Database.v1.acme.io orders
finalizer shop databases.acme.io orders acme.io/backup acme-operator
kubectl -n shop delete databases.acme.io orders --wait=false
refused=$(kubectl -n shop create job last-backup --image=example.invalid/none --dry-run=server 2>&1 || true)
case $refused in *jobs.guard.example*) ;; *) echo "not refused: $refused" >&2; exit 1 ;; esac
kubectl -n shop patch databases.acme.io orders --type=merge --field-manager=acme-operator -p "$(
  printf '{"status": {"conditions": [{"type": "Deleted", "status": "False", "reason": "BackupFailed",
    "lastTransitionTime": "%s", "message": "cannot create Job last-backup: %s"}]}}' \
    "$(now)" "$(printf %s "$refused" | tr -d '\n' | sed 's/\\/\\\\/g; s/"/\\"/g')")"
late
