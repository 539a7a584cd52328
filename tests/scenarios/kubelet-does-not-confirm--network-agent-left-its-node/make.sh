# The network agent has no pod on a node, whose object is new, and a pod's grace period has been over
# for 25 minutes.
node field Ready
kubectl create namespace shop
agents kube-system heath-agent networks.heath.example "nodeSelector: {net: heath}"
pod shop web field 30
kubectl -n shop patch pod web --subresource=status --type=merge -p "status: {phase: Running, containerStatuses: [
  {name: c, ready: true, restartCount: 0, image: none, imageID: none, state: {running: {startedAt: \"$(now)\"}}}]}"
kubectl -n shop delete pod web --wait=false
event shop pod web FailedKillPod 'error killing pod: failed to \"KillPodSandbox\" for 1 with KillPodSandboxError: failed to destroy network for sandbox: plugin type=\"heath-cni\" failed (delete): dial unix /run/heath.sock: connect: no such file or directory' kubelet
aged 25 /registry/pods/shop/web pod web -n shop
