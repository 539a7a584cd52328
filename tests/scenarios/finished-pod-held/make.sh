# A finished pod was created from a copy of a Job's pod. No Job owns it, so the Job controller does
# not remove its finalizer.
crd tasks acme.io Task
node alive Ready
kubectl create namespace shop
kubectl -n shop apply -f - <<'YAML'
apiVersion: acme.io/v1
kind: Task
metadata: {name: report}
YAML
kubectl -n shop apply -f - <<YAML
apiVersion: v1
kind: Pod
metadata:
  name: report-1
  finalizers: [batch.kubernetes.io/job-tracking]
  ownerReferences:
  - apiVersion: acme.io/v1
    kind: Task
    name: report
    controller: true
    uid: $(kubectl -n shop get task report -o jsonpath='{.metadata.uid}')
spec:
  nodeName: alive
  containers: [{name: c, image: example.invalid/none}]
YAML
phase shop report-1 Succeeded
kubectl -n shop delete pod report-1 --wait=false
late
