# A suspended Job deletes the pod that it tracks. The Job controller removes its finalizer when the
# pod has ended.
kubectl create namespace shop
kubectl -n shop apply -f - <<YAML
apiVersion: batch/v1
kind: Job
metadata: {name: report}
spec:
  suspend: true
  manualSelector: true
  selector: {matchLabels: {app: report}}
  template:
    metadata: {labels: {app: report}}
    spec:
      restartPolicy: Never
      containers: [{name: c, $(container obey 15)}]
YAML
real_pod shop report-0 30 "$(container obey 15)" "restartPolicy: Never"
runs shop report-0
kubectl -n shop patch pod report-0 --type=merge -p '{"metadata": {"finalizers": ["batch.kubernetes.io/job-tracking"]}}'
kubectl -n shop label pod report-0 app=report
is_deleted() { test -n "$(kubectl -n shop get pod report-0 -o jsonpath='{.metadata.deletionTimestamp}')"; }
wait_for 30 "the Job has deleted its pod" is_deleted
