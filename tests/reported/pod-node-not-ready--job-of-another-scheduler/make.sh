# The kubelet of a node crashed. A pod on it was deleted, for which a batch system has allocated
# devices. The bridge to that system cancels the job and removes its finalizer from the pod only
# when the pod has ended, which only the kubelet or the pod garbage collector can report. The bridge
# is healthy.
node worker Ready
node gpu-07 NotReady
settled worker
if [ -n "${TWIN:-}" ]; then
  node gpu-07 Ready
else
  lost=$(date -u -d '-200 minutes' +%FT%TZ)
  kubectl patch node gpu-07 --subresource=status --type=strategic -p "status: {conditions: [{type: Ready, lastHeartbeatTime: '$lost', lastTransitionTime: '$lost'}]}"
  # Its kubelet renewed its lease for the last time then.
  heartbeat gpu-07
  "$CONTROL_PLANE" etcd-put /registry/leases/kube-node-lease/gpu-07 "$(kubectl -n kube-node-lease get lease gpu-07 -o json --show-managed-fields |
    sed -E "s/\"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]+(\.0+)?Z\"/\"$lost\"/g; s/(\"renewTime\": \"[^Z]*)Z/\1.000000Z/; /\"resourceVersion\"/d")" --endpoint "$ETCD_ENDPOINT"
fi
kubectl label node gpu-07 scheduler.slinky.slurm.net/external-node=true
kubectl annotate node gpu-07 scheduler.slinky.slurm.net/external-node-partitions=slurm-bridge
for of in scheduler controllers; do
  service_account slinky slurm-bridge-$of
  kubectl apply -f - <<YAML
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: slurm-bridge-$of, labels: {app.kubernetes.io/managed-by: Helm}}
rules:
- {apiGroups: [""], resources: [events], verbs: [create, patch]}
- {apiGroups: [""], resources: [nodes], verbs: [get, list, patch, watch]}
- {apiGroups: [""], resources: [pods], verbs: [delete, get, list, patch, watch]}
- {apiGroups: [""], resources: [pods/finalizers], verbs: [patch, update]}
- {apiGroups: [coordination.k8s.io], resources: [leases], verbs: [create, get, list, update]}
- {apiGroups: [resource.k8s.io], resources: [resourceclaims], verbs: [delete, get, list, watch]}
YAML
  kubectl create clusterrolebinding slurm-bridge-$of --clusterrole=slurm-bridge-$of --serviceaccount=slinky:slurm-bridge-$of
  replicas=1
  [ -z "${TWIN:-}" ] || [ $of = scheduler ] || replicas=0
  deployment slinky slurm-bridge-$of $replicas
  if [ $replicas = 1 ]; then
    pods_on worker slinky slurm-bridge-$of
    pods_running_since 600 slinky slurm-bridge-$of
  fi
done
[ -n "${TWIN:-}" ] || leading slinky 69d5fe47.my.slinky.slurm.net "$(pods_of slinky slurm-bridge-controllers)_0b5d3c77"
works 600 slinky slurm-operator nodes. pods. leases.coordination.k8s.io
kubectl create namespace slurm-bridge
# job POD NODE ID creates a pod that the batch system has placed.
job() {
  local since
  since=$(date -u -d '-3 hours' +%FT%TZ)
  kubectl -n slurm-bridge apply -f - <<YAML
apiVersion: v1
kind: Pod
metadata: {name: $1, annotations: {slurmjob.slinky.slurm.net/gres: "gpu:2", slurmjob.slinky.slurm.net/partition: slurm-bridge}}
spec:
  nodeName: $2
  schedulerName: slurm-bridge-scheduler
  automountServiceAccountToken: false
  terminationGracePeriodSeconds: 30
  tolerations: [{key: slinky.slurm.net/managed-node, value: slurm-bridge-scheduler, effect: NoExecute}]
  containers: [{name: train, image: example.invalid/none}]
YAML
  kubectl -n slurm-bridge patch pod $1 --type=merge --field-manager=slurm-bridge-scheduler -p "{\"metadata\": {\"finalizers\": [\"scheduler.slinky.slurm.net/finalizer\"],
    \"labels\": {\"scheduler.slinky.slurm.net/slurm-jobid\": \"$3\"}, \"annotations\": {\"slinky.slurm.net/slurm-node\": \"$2\"}}}"
  kubectl -n slurm-bridge patch pod $1 --subresource=status --type=merge --field-manager=kubelet -p "status: {phase: Running, startTime: \"$since\",
    conditions: [$(condition PodScheduled True), $(condition Initialized True), $(condition ContainersReady True), $(condition Ready True)],
    containerStatuses: [{name: train, image: x, imageID: x, ready: true, restartCount: 0, state: {running: {startedAt: \"$since\"}}}]}"
}
job train-0 gpu-07 4711
job train-1 worker 4712
kubectl -n slurm-bridge delete pod train-0 --wait=false
if [ -n "${TWIN:-}" ]; then
  kubectl -n slurm-bridge patch pod train-0 --subresource=status --type=merge --field-manager=kubelet -p "status: {phase: Failed,
    conditions: [$(condition Ready False PodFailed), $(condition ContainersReady False PodFailed)],
    containerStatuses: [{name: train, image: x, imageID: x, ready: false, restartCount: 0,
      state: {terminated: {exitCode: 137, reason: Error, startedAt: \"$(now)\", finishedAt: \"$(now)\"}}}]}"
  kubectl -n slurm-bridge delete pod train-0 --wait=false --grace-period=0 --force
fi
# The node lifecycle controller marks pods there as not Ready.
[ -n "${TWIN:-}" ] || kubectl -n slurm-bridge patch pod train-0 --subresource=status --type=strategic -p "status: {conditions: [$(condition Ready False)]}"
late
aged 190 /registry/pods/slurm-bridge/train-0 pod train-0 -n slurm-bridge
