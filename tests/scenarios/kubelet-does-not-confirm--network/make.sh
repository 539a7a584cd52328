# The network plugin was uninstalled, so no sandbox can be torn down. Another pod on the node is not
# being deleted and is healthy.
node alive Ready
kubectl create namespace shop
pod shop web alive 1
pod shop api alive 1
phase shop api Running
kubectl -n shop delete pod web --wait=false
event shop pod web FailedKillPod "error killing pod: failed to KillPodSandbox with KillPodSandboxError: rpc error: networkPlugin cni failed to teardown pod web_shop network: plugin type calico failed: connection is unauthorized" kubelet
event shop pod api Unhealthy "Readiness probe failed" kubelet
sleep 12
