# A mutating webhook changes an immutable field of pods. Its failures are ignored, which does not
# help, because the webhook does not fail. The pod's Job is gone.
backend ok
node worker Ready
kubectl create namespace shop
live_webhook Mutating sidecars mutatepod '"CREATE", "UPDATE"' '' pods 'failurePolicy: Ignore'
live_webhook Mutating defaults ok '"*"' '' configmaps
live_webhook Validating audit ok '"*"' '' '"*"'
# The API server takes a moment to notice the webhook.
sleep 2
kubectl -n shop apply -f - <<'YAML'
apiVersion: v1
kind: Pod
metadata:
  name: report-x7k2p
  finalizers: [batch.kubernetes.io/job-tracking]
  labels: {batch.kubernetes.io/job-name: report}
  ownerReferences: [{apiVersion: batch/v1, kind: Job, name: report, uid: 11111111-1111-4111-8111-111111111111, controller: true}]
spec:
  nodeName: worker
  automountServiceAccountToken: false
  containers: [{name: c, image: example.invalid/none}]
YAML
refused() { ! kubectl -n shop annotate pod report-x7k2p a=b --dry-run=server; }
wait_for 10 "the webhook is heeded" refused
kubectl -n shop delete pod report-x7k2p --grace-period=0 --force --wait=false
late
