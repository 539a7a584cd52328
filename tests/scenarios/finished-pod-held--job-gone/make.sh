# A Job is gone, and a dead webhook refuses the Job controller's update of its pod.
node alive Ready
kubectl create namespace shop
furnished shop
dead_webhook pods UPDATE "" pods
kubectl -n shop apply -f - <<'YAML'
apiVersion: v1
kind: Pod
metadata:
  name: report-1
  finalizers: [batch.kubernetes.io/job-tracking]
  ownerReferences:
  - {apiVersion: batch/v1, kind: Job, name: report, controller: true, uid: 6f0b1f7e-2f0d-4b51-9b7e-0d3f3c1f8a55}
spec:
  nodeName: alive
  automountServiceAccountToken: false
  terminationGracePeriodSeconds: 0
  containers: [{name: c, image: example.invalid/none}]
YAML
phase shop report-1 Succeeded
# The garbage collector deletes the pod as well, because its owner does not exist.
kubectl -n shop delete pod report-1 --wait=false
late
