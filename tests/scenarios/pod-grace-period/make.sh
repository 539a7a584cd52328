# A pod has a grace period of an hour and a preStop hook.
node alive Ready
kubectl create namespace shop
kubectl -n shop apply -f - <<'YAML'
apiVersion: v1
kind: Pod
metadata: {name: web}
spec:
  nodeName: alive
  automountServiceAccountToken: false
  terminationGracePeriodSeconds: 3600
  containers:
  - {name: c, image: example.invalid/none, lifecycle: {preStop: {exec: {command: [sleep, "600"]}}}}
YAML
kubectl -n shop delete pod web --wait=false
late
