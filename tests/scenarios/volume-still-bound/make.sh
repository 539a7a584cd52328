# A volume was deleted by accident: its claim is bound. Another volume and its claim are healthy.
node worker Ready
kubectl create namespace shop
for name in data other; do
  kubectl apply -f - <<YAML
apiVersion: v1
kind: PersistentVolume
metadata: {name: $name}
spec:
  capacity: {storage: 1Gi}
  accessModes: [ReadWriteOnce]
  persistentVolumeReclaimPolicy: Delete
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
YAML
  wait_for 30 "claim $name is bound" is Bound '{.status.phase}' pvc "$name" -n shop
done
kubectl delete pv data --wait=false
late
