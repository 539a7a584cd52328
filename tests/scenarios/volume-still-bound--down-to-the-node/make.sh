# A volume, its claim and the pod that uses it are deleted, and the pod's node is dead. Another
# claim and its volume are healthy.
node alive Ready
node silent NotReady
kubectl create namespace shop
for name in data other; do
  kubectl apply -f - <<YAML
apiVersion: v1
kind: PersistentVolume
metadata: {name: $name}
spec:
  capacity: {storage: 1Gi}
  accessModes: [ReadWriteOnce]
  persistentVolumeReclaimPolicy: Retain
  storageClassName: none
  claimRef: {namespace: shop, name: $name}
  csi: {driver: disk.acme.io, volumeHandle: $name}
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: $name, namespace: shop}
spec:
  accessModes: [ReadWriteOnce]
  storageClassName: none
  volumeName: $name
  resources: {requests: {storage: 1Gi}}
---
apiVersion: v1
kind: Pod
metadata: {name: $name, namespace: shop}
spec:
  nodeName: $(test $name = data && echo silent || echo alive)
  automountServiceAccountToken: false
  terminationGracePeriodSeconds: 1
  containers: [{name: c, image: example.invalid/none}]
  volumes: [{name: data, persistentVolumeClaim: {claimName: $name}}]
YAML
  wait_for 30 "claim $name is bound" is Bound '{.status.phase}' pvc "$name" -n shop
done
kubectl delete pv data --wait=false
kubectl -n shop delete pvc data --wait=false
kubectl -n shop delete pod data --wait=false
late
