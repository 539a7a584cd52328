# The containers of a pod have ended, and its volume stays mounted because something on the node has
# it open. The driver is registered there, and its pod is Ready. On another node the driver crashes.
node alive Ready
node other Ready
service_account silt-csi silt-node
kubectl create namespace shop
driver_pod() {
  kubectl -n silt-csi apply -f - <<YAML
apiVersion: v1
kind: Pod
metadata: {name: silt-node-$1, labels: {app: silt-node}}
spec:
  nodeName: $1
  automountServiceAccountToken: false
  containers: [{name: driver, image: example.invalid/silt, args: [--drivername=silt.river.example]}]
YAML
}
driver_pod alive
driver_pod other
kubectl -n silt-csi patch pod silt-node-alive --subresource=status --type=merge \
  -p "status: {phase: Running, conditions: [$(condition Ready True)]}"
kubectl -n silt-csi patch pod silt-node-other --subresource=status --type=merge -p "status: {phase: Running,
  conditions: [$(condition Ready False ContainersNotReady 'containers with unready status: [driver]')],
  containerStatuses: [{name: driver, image: none, imageID: none, ready: false, restartCount: 14,
    state: {waiting: {reason: CrashLoopBackOff, message: back-off 5m0s restarting failed container}}}]}"
csi_node alive silt.river.example
csi_node other
csi_volume silt-1 silt.river.example one
mounts shop web alive 1 silt-1
kubectl -n shop delete pod web --wait=false
container_killed shop web
event shop pod web FailedUnmount "UnmountVolume.TearDown failed for volume silt-1: kubernetes.io/csi: Unmounter.TearDownAt failed: rpc error: code = Internal desc = umount failed: exit status 32, target is busy" kubelet
sleep 12
