# The pods of a StatefulSet share the objects among them. The pod that handles this object crashes,
# and the other one runs.
node worker Ready
crd probes radarbase.dev Probe
service_account radar radarbase
rights radarbase probes.radarbase.dev
kubectl create clusterrolebinding radarbase --clusterrole=radarbase --serviceaccount=radar:radarbase
kubectl apply -f - <<'YAML'
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: radarbase, namespace: radar, labels: {app.kubernetes.io/name: radarbase}}
spec:
  serviceName: radarbase
  replicas: 2
  podManagementPolicy: Parallel
  selector: {matchLabels: {app.kubernetes.io/name: radarbase}}
  template:
    metadata: {labels: {app.kubernetes.io/name: radarbase}}
    spec: {serviceAccountName: radarbase, automountServiceAccountToken: false, containers: [{name: manager, image: example.invalid/radar}]}
YAML
wait_for 30 "both pods" kubectl -n radar get pod radarbase-0 radarbase-1
pods_on worker radar radarbase
pods_running_since 900 radar radarbase
kubectl -n radar patch pod radarbase-1 --subresource=status --type=merge -p "status: {
  conditions: [$(condition Ready False ContainersNotReady)], containerStatuses: [{name: manager, image: x, imageID: x,
  ready: false, restartCount: 88, state: {waiting: {reason: CrashLoopBackOff, message: back-off}},
  lastState: {terminated: {reason: OOMKilled, exitCode: 137, startedAt: '$(now)', finishedAt: '$(now)'}}}]}"
kubectl create namespace net
object net Probe.v1.radarbase.dev east '{target: east}'
finalizer net probes.radarbase.dev east radarbase.dev/session radarbase
says net probes.radarbase.dev east radarbase '{assignedTo: radarbase-1}'
kubectl -n net delete probes.radarbase.dev east --wait=false
late
