# A Node and a PersistentVolume were deleted a day ago. The attacher runs, keeps trying to detach
# the volume, and writes each failure to the attachment. Another attachment of the same driver is to
# an existing node.
node worker Ready
service_account slab-csi slab-controller
kubectl apply -f - <<'YAML'
apiVersion: storage.k8s.io/v1
kind: CSIDriver
metadata: {name: slab.mineral.example}
spec: {attachRequired: true}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: slab-controller, namespace: slab-csi, labels: {app.kubernetes.io/name: slab-controller}}
spec:
  replicas: 1
  selector: {matchLabels: {app.kubernetes.io/name: slab-controller}}
  template:
    metadata: {labels: {app.kubernetes.io/name: slab-controller}}
    spec:
      serviceAccountName: slab-controller
      automountServiceAccountToken: false
      containers:
      - {name: manager, image: example.invalid/csi-attacher}
      - {name: driver, image: example.invalid/slab, args: [--drivername=slab.mineral.example]}
---
apiVersion: v1
kind: PersistentVolume
metadata: {name: vol-other}
spec:
  capacity: {storage: 1Gi}
  accessModes: [ReadWriteOnce]
  persistentVolumeReclaimPolicy: Retain
  storageClassName: none
  csi: {driver: slab.mineral.example, volumeHandle: other}
YAML
rights slab volumeattachments.storage.k8s.io persistentvolumes.
kubectl create clusterrolebinding slab --clusterrole=slab --serviceaccount=slab-csi:slab-controller
pods_ready slab-csi slab-controller
for which in lost other; do
  node=worker
  if [ $which = lost ]; then node=quarry-7; fi
  kubectl apply -f - <<YAML
apiVersion: storage.k8s.io/v1
kind: VolumeAttachment
metadata: {name: csi-$which}
spec: {attacher: slab.mineral.example, nodeName: $node, source: {persistentVolumeName: vol-$which}}
YAML
  kubectl patch volumeattachment "csi-$which" --type=merge --field-manager=csi-attacher \
    -p "metadata: {finalizers: [external-attacher/slab-mineral-example]}"
  kubectl patch volumeattachment "csi-$which" --subresource=status --type=merge --field-manager=csi-attacher \
    -p "status: {attached: true}"
done
kubectl delete volumeattachment csi-lost --wait=false
aged 1440 /registry/volumeattachments/csi-lost volumeattachments csi-lost
pods_running_since 2000 slab-csi slab-controller
kubectl patch volumeattachment csi-lost --subresource=status --type=merge --field-manager=csi-attacher \
  -p "status: {detachError: {time: '$(now)', message: 'persistentvolume \"vol-lost\" not found'}}"
