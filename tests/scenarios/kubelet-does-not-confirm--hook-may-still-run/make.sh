# A container has a preStop hook. A hook keeps the grace period with which it began, and a shorter
# one later does not end it. Another pod on the node has no hook and is healthy.
node alive Ready
settled alive
kubectl create namespace shop
kubectl -n shop apply -f - <<'YAML'
apiVersion: v1
kind: Pod
metadata: {name: web}
spec:
  nodeName: alive
  automountServiceAccountToken: false
  terminationGracePeriodSeconds: 1
  containers:
  - {name: nginx, image: example.invalid/none, lifecycle: {preStop: {exec: {command: [sleep, "10000000"]}}}}
YAML
pod shop api alive 1
kubectl -n shop patch pod web --subresource=status --type=merge -p "status: {phase: Running,
  conditions: [$(condition Ready True)], containerStatuses: [{name: nginx, image: none, imageID: none, ready: true,
  restartCount: 0, state: {running: {startedAt: \"$(now)\"}}}]}"
phase shop api Running
kubectl -n shop delete pod web --wait=false
[ -z "${TWIN:-}" ] || kubectl -n shop patch pod web --subresource=status --type=merge -p "status: {
  conditions: [$(condition Ready False PodFailed)], containerStatuses: [{name: nginx, image: none, imageID: none,
  ready: false, restartCount: 0, state: {terminated: {exitCode: 137, reason: Error, startedAt: \"$(now)\",
  finishedAt: \"$(now)\"}}}]}"
late
aged 30 /registry/pods/shop/web pod web -n shop
