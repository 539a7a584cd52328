# The API server does not proxy to this kubelet because its address is on loopback. Only the
# kubelet's events are available.
kubelet
node_with_kubelet worker
kubectl create namespace shop
pod shop web worker 1
phase shop web Running
kubectl -n shop delete pod web --wait=false
event shop pod web FailedKillPod "error killing pod: failed to KillContainer for c with KillContainerError: rpc error: code = DeadlineExceeded" kubelet
sleep 12
