# The network agent on a pod's node is being deleted and is not Ready, and the node's disk is full.
# The agent on another node is healthy.
node alive Ready
node other Ready
settled alive other
agents net egret-node pods.
agents_ready net egret-node 2
agents net kube-relay services.
agents_ready net kube-relay 2
kubectl patch node alive --subresource=status --type=strategic -p "status: {conditions: [
  $(condition DiskPressure True KubeletHasDiskPressure 'kubelet has disk pressure')]}"
agent=$(kubectl -n net get pods -l app.kubernetes.io/name=egret-node -o jsonpath='{.items[?(@.spec.nodeName=="alive")].metadata.name}')
if [ -z "${TWIN:-}" ]; then
  kubectl -n net patch pod "$agent" --type=merge -p 'metadata: {finalizers: [example.com/stays]}'
  kubectl -n net delete pod "$agent" --wait=false
  kubectl -n net patch pod "$agent" --subresource=status --type=merge -p "status: {
    conditions: [$(condition Ready False ContainersNotReady 'containers with unready status: [agent]')],
    containerStatuses: [{name: agent, image: none, imageID: none, ready: false, restartCount: 3,
      state: {running: {startedAt: \"$(now)\"}}}]}"
fi
kubectl create namespace shop
pod shop web alive 1
phase shop web Running
kubectl -n shop delete pod web --wait=false
event shop pod web FailedKillPod "error killing pod: failed to KillPodSandbox with KillPodSandboxError: failed to destroy network for sandbox: plugin type=egret-cni failed (delete): dial tcp 127.0.0.1:50051: connect: connection refused" kubelet
sleep 12
