# The pods of a workload run in small virtual machines. On one node some of these had too little
# memory and were killed. The runtime does not end the sandboxes of the killed machines, and the
# healthy kubelet has tried for twelve days. The same workload on another node is healthy.
kubectl apply -f - <<'YAML'
apiVersion: node.k8s.io/v1
kind: RuntimeClass
metadata: {name: kata, labels: {app.kubernetes.io/managed-by: openshift-sandboxed-containers-operator}}
handler: kata
overhead: {podFixed: {memory: 350Mi, cpu: 250m}}
scheduling: {nodeSelector: {node-role.kubernetes.io/kata-oc: ""}}
YAML
node worker-0 Ready
node worker-1 Ready
settled worker-0 worker-1
for name in worker-0 worker-1; do
  kubectl label node $name node-role.kubernetes.io/kata-oc= node-role.kubernetes.io/worker=
  kubectl patch node $name --subresource=status --type=merge -p "status: {nodeInfo: {containerRuntimeVersion: 'cri-o://1.30.4', kubeletVersion: v1.30.4,
    osImage: Red Hat Enterprise Linux CoreOS 417.94, kernelVersion: 5.14.0-427, operatingSystem: linux, architecture: amd64, machineID: '', systemUUID: '', bootID: '', kubeProxyVersion: ''}}"
done
crd kataconfigs kataconfiguration.openshift.io KataConfig Cluster
operator openshift-sandboxed-containers-operator controller-manager 1 kataconfigs.kataconfiguration.openshift.io nodes.
pods_on worker-1 openshift-sandboxed-containers-operator controller-manager
pods_running_since 20000 openshift-sandboxed-containers-operator controller-manager
agents openshift-multus multus nodes. 'tolerations: [{operator: Exists}]'
agents_ready openshift-multus multus 2
kubectl create namespace scale
kubectl -n scale apply -f - <<'YAML'
apiVersion: apps/v1
kind: Deployment
metadata: {name: workload-deployment}
spec:
  replicas: 2
  selector: {matchLabels: {app: workload}}
  template:
    metadata: {labels: {app: workload}}
    spec:
      runtimeClassName: kata
      automountServiceAccountToken: false
      nodeSelector: {kubernetes.io/hostname: worker-1}
      containers: [{name: workload, image: example.invalid/workload}]
YAML
then=$(date -u -d '-12 days' +%FT%TZ)
# on NODE NAME CLASS READY RESTARTS STATE creates a pod that started twelve days ago.
on() {
  kubectl -n scale apply -f - <<YAML
apiVersion: v1
kind: Pod
metadata: {name: $2, labels: {app: earlier}}
spec:
  nodeName: $1
  ${3:+runtimeClassName: $3}
  automountServiceAccountToken: false
  terminationGracePeriodSeconds: 30
  nodeSelector: {node-role.kubernetes.io/kata-oc: ""}
  containers: [{name: workload, image: example.invalid/workload}]
YAML
  local status=False
  [ "$4" = true ] && status=True
  kubectl -n scale patch pod "$2" --subresource=status --type=merge --field-manager=kubelet -p "status: {phase: Running, startTime: \"$then\",
    conditions: [{type: PodScheduled, status: 'True', lastTransitionTime: '$then'}, {type: PodReadyToStartContainers, status: 'True', lastTransitionTime: '$then'},
      {type: Initialized, status: 'True', lastTransitionTime: '$then'}, {type: Ready, status: '$status', lastTransitionTime: '$then'}, {type: ContainersReady, status: '$status', lastTransitionTime: '$then'}],
    containerStatuses: [{name: workload, image: x, imageID: x, containerID: 'cri-o://690733db$5', ready: $4, restartCount: $5, $6}]}"
}
over="state: {terminated: {exitCode: 255, reason: Error, startedAt: \"$then\", finishedAt: \"$then\", containerID: 'cri-o://690733db'}}"
runs="state: {running: {startedAt: \"$then\"}}"
dead="workload-deployment-5df85cd969-2rfzx workload-deployment-5df85cd969-2wkkk workload-deployment-5df85cd969-2x4hf"
restarts=0
for name in $dead; do
  restarts=$((restarts + 1))
  on worker-0 $name kata false $restarts "$over"
done
on worker-0 collector-0 '' true 0 "$runs"
on worker-1 probe-0 kata true 0 "$runs"
# The pods of the current workload, on the other node.
for pod in $(kubectl -n scale get pods -l app=workload -o jsonpath='{.items[*].metadata.name}'); do
  kubectl create --raw "/api/v1/namespaces/scale/pods/$pod/binding" -f - <<JSON
{"apiVersion": "v1", "kind": "Binding", "metadata": {"name": "$pod", "namespace": "scale"}, "target": {"apiVersion": "v1", "kind": "Node", "name": "worker-1"}}
JSON
  kubectl -n scale patch pod "$pod" --subresource=status --type=merge -p "status: {phase: Running, conditions: [$(condition Ready True)],
    containerStatuses: [{name: workload, image: x, imageID: x, ready: true, restartCount: 0, $runs}]}"
done
kubectl -n scale delete pod $dead --wait=false
late
for name in $dead; do aged 17280 /registry/pods/scale/$name pod $name -n scale; done
if [ -n "${TWIN:-}" ]; then
  lost=$(date -u -d '-12 days' +%FT%TZ)
  kubectl -n kube-node-lease delete lease worker-0
  kubectl patch node worker-0 --subresource=status --type=strategic -p "status: {conditions: [{type: Ready, status: Unknown, reason: NodeStatusUnknown,
    message: Kubelet stopped posting node status., lastHeartbeatTime: '$lost', lastTransitionTime: '$lost'}]}"
else
  for name in $dead; do
    uid=$(kubectl -n scale get pod $name -o jsonpath='{.metadata.uid}')
    event scale pod $name FailedKillPod "error killing pod: failed to \\\"KillPodSandbox\\\" for \\\"$uid\\\" with KillPodSandboxError: \\\"rpc error: code = Unknown desc = failed to stop container k8s_POD_${name}_scale: context deadline exceeded\\\"" kubelet
  done
fi
