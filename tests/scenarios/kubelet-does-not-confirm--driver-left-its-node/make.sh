# A pod's grace period has been over for 25 minutes, and its volume stays mounted: the driver is not
# registered on the node, and none of its pods is there. The Node object is new.
node field Ready
node other Ready
settled other
kubectl taint node field peat.example/lab=yes:NoExecute
agents peat-csi peat-node csidrivers.storage.k8s.io "nodeSelector: {disk: peat}"
kubectl label node other disk=peat
kubectl -n peat-csi patch daemonset peat-node --type=json -p '[{"op": "add", "path": "/spec/template/spec/containers/0/args", "value": ["--drivername=peat.bog.example"]}]'
agents_ready peat-csi peat-node 1
registered() {
  kubectl apply -f - <<YAML
apiVersion: storage.k8s.io/v1
kind: CSINode
metadata: {name: $1}
spec: {drivers: [${2:-}]}
YAML
}
registered field
registered other '{name: peat.bog.example, nodeID: other}'
kubectl create namespace shop
kubectl apply -f - <<'YAML'
apiVersion: v1
kind: PersistentVolume
metadata: {name: peat-1}
spec:
  capacity: {storage: 1Gi}
  accessModes: [ReadWriteOnce]
  persistentVolumeReclaimPolicy: Retain
  storageClassName: none
  csi: {driver: peat.bog.example, volumeHandle: one}
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: data, namespace: shop}
spec:
  accessModes: [ReadWriteOnce]
  storageClassName: none
  volumeName: peat-1
  resources: {requests: {storage: 1Gi}}
---
apiVersion: v1
kind: Pod
metadata: {name: web, namespace: shop}
spec:
  nodeName: field
  automountServiceAccountToken: false
  terminationGracePeriodSeconds: 30
  containers: [{name: c, image: example.invalid/none}]
  volumes: [{name: data, persistentVolumeClaim: {claimName: data}}]
YAML
kubectl -n shop patch pod web --subresource=status --type=merge -p "status: {phase: Running, containerStatuses: [
  {name: c, ready: true, restartCount: 0, image: none, imageID: none, state: {running: {startedAt: \"$(now)\"}}}]}"
kubectl -n shop delete pod web --wait=false
kubectl -n shop patch pod web --subresource=status --type=merge -p "status: {phase: Failed, containerStatuses: [
  {name: c, ready: false, restartCount: 0, image: none, imageID: none,
   state: {terminated: {exitCode: 137, finishedAt: \"$(now)\"}}}]}"
aged 25 /registry/pods/shop/web pod web -n shop
