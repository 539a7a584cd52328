# The containers of a pod have ended, and its volume stays mounted: the driver is not registered on
# the node, where its pod crashes. On another node the driver is healthy.
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
registered() {
  kubectl apply -f - <<YAML
apiVersion: storage.k8s.io/v1
kind: CSINode
metadata: {name: $1}
spec: {drivers: [${2:-}]}
YAML
}
driver_pod alive
driver_pod other
kubectl -n silt-csi patch pod silt-node-other --subresource=status --type=merge \
  -p "status: {phase: Running, conditions: [$(condition Ready True)]}"
kubectl -n silt-csi patch pod silt-node-alive --subresource=status --type=merge -p "status: {phase: Running,
  conditions: [$(condition Ready False ContainersNotReady 'containers with unready status: [driver]')],
  containerStatuses: [{name: driver, image: none, imageID: none, ready: false, restartCount: 14,
    state: {waiting: {reason: CrashLoopBackOff, message: back-off 5m0s restarting failed container}}}]}"
registered alive
registered other '{name: silt.river.example, nodeID: other}'
kubectl apply -f - <<'YAML'
apiVersion: v1
kind: PersistentVolume
metadata: {name: silt-1}
spec:
  capacity: {storage: 1Gi}
  accessModes: [ReadWriteOnce]
  persistentVolumeReclaimPolicy: Retain
  storageClassName: none
  csi: {driver: silt.river.example, volumeHandle: one}
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: data, namespace: shop}
spec:
  accessModes: [ReadWriteOnce]
  storageClassName: none
  volumeName: silt-1
  resources: {requests: {storage: 1Gi}}
---
apiVersion: v1
kind: Pod
metadata: {name: web, namespace: shop}
spec:
  nodeName: alive
  automountServiceAccountToken: false
  terminationGracePeriodSeconds: 1
  containers: [{name: c, image: example.invalid/none}]
  volumes: [{name: data, persistentVolumeClaim: {claimName: data}}]
YAML
kubectl -n shop delete pod web --wait=false
kubectl -n shop patch pod web --subresource=status --type=merge -p "status: {phase: Failed, containerStatuses: [
  {name: c, ready: false, restartCount: 0, image: none, imageID: none,
   state: {terminated: {exitCode: 137, finishedAt: \"$(now)\"}}}]}"
event shop pod web FailedUnmount "UnmountVolume.TearDown failed for volume silt-1: kubernetes.io/csi: Unmounter.TearDownAt failed to get CSI client: driver name silt.river.example not found in the list of registered CSI drivers" kubelet
sleep 12
