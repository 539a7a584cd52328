# A CSI driver was uninstalled before its volumes were detached. Another driver and an attachment of
# its volume are healthy.
node worker Ready
kubectl apply -f - <<'YAML'
apiVersion: storage.k8s.io/v1
kind: CSIDriver
metadata: {name: disk.other.io}
spec: {attachRequired: true}
YAML
for name in gone other; do
  kubectl apply -f - <<YAML
apiVersion: v1
kind: PersistentVolume
metadata: {name: vol-$name, finalizers: [external-attacher/disk-$name-io]}
spec:
  capacity: {storage: 1Gi}
  accessModes: [ReadWriteOnce]
  persistentVolumeReclaimPolicy: Retain
  storageClassName: none
  csi: {driver: disk.$name.io, volumeHandle: $name}
---
apiVersion: storage.k8s.io/v1
kind: VolumeAttachment
metadata: {name: csi-$name, finalizers: [external-attacher/disk-$name-io]}
spec: {attacher: disk.$name.io, nodeName: worker, source: {persistentVolumeName: vol-$name}}
YAML
  kubectl patch volumeattachment "csi-$name" --subresource=status --type=merge -p "status: {attached: true}"
done
kubectl delete volumeattachment csi-gone --wait=false
kubectl delete pv vol-gone --wait=false
late
