# A Node and a PersistentVolume were deleted a day ago. The attacher runs, keeps trying to detach
# the volume, and writes each failure to the attachment. Another attachment of the same driver is to
# an existing node.
node worker Ready
service_account slab-csi slab-controller
csi_driver slab.mineral.example
kubectl apply -f - <<'YAML'
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
YAML
csi_volume vol-other slab.mineral.example other
rights slab volumeattachments.storage.k8s.io persistentvolumes.
kubectl create clusterrolebinding slab --clusterrole=slab --serviceaccount=slab-csi:slab-controller
pods_ready slab-csi slab-controller
attachment csi-lost slab.mineral.example vol-lost quarry-7
attachment csi-other slab.mineral.example vol-other worker
kubectl delete volumeattachment csi-lost --wait=false
aged 1440 /registry/volumeattachments/csi-lost volumeattachments csi-lost
pods_running_since 2000 slab-csi slab-controller
kubectl patch volumeattachment csi-lost --subresource=status --type=merge --field-manager=csi-attacher \
  -p "status: {detachError: {time: '$(now)', message: 'persistentvolume \"vol-lost\" not found'}}"
