# The container of a pod has ended, but its sandbox does not stop: since an update of containerd the
# shim of its runtime class does not exit. The kubelet reports a timeout.
kubectl apply -f - <<'YAML'
apiVersion: node.k8s.io/v1
kind: RuntimeClass
metadata: {name: gvisor}
handler: runsc
YAML
# settled NODE... marks nodes as Ready for days, with this container runtime.
settled() {
  local name
  for name in "$@"; do
    kubectl patch node "$name" --subresource=status --type=strategic -p "{\"status\":{\"conditions\":[{
      \"type\":\"Ready\",\"status\":\"True\",\"lastTransitionTime\":\"$(date -u -d '-9 days' +%FT%TZ)\"}],
      \"nodeInfo\":{\"containerRuntimeVersion\":\"containerd://2.0.1\",\"kubeletVersion\":\"v1.32.0\",\"osImage\":\"Talos (v1.9.0)\",
        \"kernelVersion\":\"6.12.5-talos\",\"operatingSystem\":\"linux\",\"architecture\":\"amd64\",\"machineID\":\"\",\"systemUUID\":\"\",\"bootID\":\"\",\"kubeProxyVersion\":\"\"}}}"
  done
}
node talos-default-worker-1 Ready
node talos-default-worker-2 Ready
settled talos-default-worker-1 talos-default-worker-2
agents kube-system kube-flannel nodes.
agents_ready kube-system kube-flannel 2
# on NODE NAMESPACE NAME SPEC creates a running pod.
on() {
  kubectl -n "$2" apply -f - <<YAML
apiVersion: v1
kind: Pod
metadata: {name: $3}
spec: {nodeName: $1, automountServiceAccountToken: false, terminationGracePeriodSeconds: 30, $4 containers: [{name: $3, image: nginx}]}
YAML
  kubectl -n "$2" patch pod "$3" --subresource=status --type=merge -p "status: {phase: Running,
    conditions: [$(condition PodReadyToStartContainers True), $(condition Initialized True), $(condition Ready True), $(condition ContainersReady True), $(condition PodScheduled True)],
    containerStatuses: [{name: $3, image: nginx, imageID: x, containerID: 'containerd://690733db', ready: true, restartCount: 0, state: {running: {startedAt: \"$(now)\"}}}]}"
}
on talos-default-worker-1 kube-system coredns ''
event kube-system pod coredns FailedCreatePodSandBox \
  'Failed to create pod sandbox: rpc error: code = Unknown desc = failed to setup network for sandbox \"486a60c5bbac\": plugin type=\"flannel\" failed (add): loadFlannelSubnetEnv failed: open /run/flannel/subnet.env: no such file or directory' kubelet
on talos-default-worker-1 default nginx ''
on talos-default-worker-2 default nginx-gvisor-2 'runtimeClassName: gvisor,'
on talos-default-worker-1 default nginx-gvisor 'runtimeClassName: gvisor,'
kubectl delete pod nginx-gvisor --wait=false
kubectl patch pod nginx-gvisor --subresource=status --type=merge -p "status: {
  conditions: [$(condition PodReadyToStartContainers True), $(condition Initialized True), $(condition PodScheduled True),
    $(condition Ready False ContainersNotReady 'containers with unready status: [nginx-gvisor]'),
    $(condition ContainersReady False ContainersNotReady 'containers with unready status: [nginx-gvisor]')],
  containerStatuses: [{name: nginx-gvisor, image: nginx, imageID: x, containerID: 'containerd://690733db', ready: false, restartCount: 0,
    state: {terminated: {containerID: 'containerd://690733db', exitCode: 0, reason: Completed, startedAt: \"$(now)\", finishedAt: \"$(now)\"}}}]}"
aged 10 /registry/pods/default/nginx-gvisor pod nginx-gvisor -n default
uid=$(kubectl get pod nginx-gvisor -o jsonpath='{.metadata.uid}')
if [ -z "${TWIN:-}" ]; then
  why='rpc error: code = DeadlineExceeded desc = context deadline exceeded'
else
  why='rpc error: code = Unknown desc = failed to destroy network for sandbox \\\"1f0c95d2\\\": plugin type=\\\"flannel\\\" failed (delete): failed to find plugin \\\"flannel\\\" in path [/opt/cni/bin]'
fi
event default pod nginx-gvisor FailedKillPod \
  "error killing pod: failed to \\\"KillPodSandbox\\\" for \\\"$uid\\\" with KillPodSandboxError: \\\"$why\\\"" kubelet
