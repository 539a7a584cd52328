# A volume was restored from a snapshot as a clone, which needs the snapshot as long as it exists.
# The snapshot was deleted. The storage refuses, and the sidecar reports only that the deletion
# failed.
node worker Ready
settled worker
crd volumesnapshots snapshot.storage.k8s.io VolumeSnapshot
crd volumesnapshotcontents snapshot.storage.k8s.io VolumeSnapshotContent Cluster
all="volumesnapshots.snapshot.storage.k8s.io volumesnapshotcontents.snapshot.storage.k8s.io"
works 600 kube-system snapshot-controller $all
leading kube-system snapshot-controller-leader snapshot-controller-6f5b_1
crd backups velero.io Backup
works 600 velero velero backups.velero.io $all
# driver NAMESPACE NAME DRIVER creates the controller of a driver with its sidecars.
driver() {
  service_account "$1" "$2"
  rights "$1-$2" volumesnapshotcontents.snapshot.storage.k8s.io persistentvolumes. persistentvolumeclaims.
  kubectl create clusterrolebinding "$1-$2" --clusterrole="$1-$2" --serviceaccount="$1:$2"
  kubectl apply -f - <<YAML
apiVersion: apps/v1
kind: Deployment
metadata: {name: $2, namespace: $1}
spec:
  replicas: 1
  selector: {matchLabels: {app.kubernetes.io/name: $2}}
  template:
    metadata: {labels: {app.kubernetes.io/name: $2}}
    spec:
      serviceAccountName: $2
      automountServiceAccountToken: false
      containers:
      - {name: csi-driver, image: "example.invalid/democratic-csi:v1.9.4", args: [--csi-version=1.5.0, --csi-name=$3, --csi-mode=controller]}
      - {name: external-provisioner, image: "example.invalid/csi-provisioner:v5.1.0", args: [--csi-address=/csi/csi.sock, --leader-election]}
      - {name: external-snapshotter, image: "example.invalid/csi-snapshotter:v8.2.0", args: [--csi-address=/csi/csi.sock, --leader-election]}
---
apiVersion: storage.k8s.io/v1
kind: CSIDriver
metadata: {name: $3}
spec: {attachRequired: true}
---
apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: {name: ${3##*.}}
provisioner: $3
YAML
  pods_on worker "$1" "$2"
  pods_running_since 600 "$1" "$2"
  leading "$1" "external-snapshotter-leader-${3//./-}" "$(pods_of "$1" "$2")"
}
driver democratic-csi zfs-iscsi-democratic-csi-controller org.democratic-csi.iscsi
driver democratic-csi zfs-nfs-democratic-csi-controller org.democratic-csi.nfs
kubectl create namespace apps
# snapshot NAME ID DRIVER SOURCE creates a snapshot and its content.
snapshot() {
  kubectl apply --server-side --field-manager=snapshot-controller -f - <<YAML
apiVersion: snapshot.storage.k8s.io/v1
kind: VolumeSnapshot
metadata:
  name: $1
  namespace: apps
  labels: {velero.io/backup-name: nightly}
  finalizers: [snapshot.storage.kubernetes.io/volumesnapshot-as-source-protection, snapshot.storage.kubernetes.io/volumesnapshot-bound-protection]
spec: {source: {persistentVolumeClaimName: data}, volumeSnapshotClassName: ${3##*.}}
status: {boundVolumeSnapshotContentName: snapcontent-$2, readyToUse: true, restoreSize: 10Gi}
YAML
  kubectl apply --server-side --field-manager=snapshot-controller -f - <<YAML
apiVersion: snapshot.storage.k8s.io/v1
kind: VolumeSnapshotContent
metadata:
  name: snapcontent-$2
  finalizers: [snapshot.storage.kubernetes.io/volumesnapshotcontent-bound-protection]
spec:
  deletionPolicy: Delete
  driver: $3
  source: {volumeHandle: $4}
  volumeSnapshotClassName: ${3##*.}
  volumeSnapshotRef: {apiVersion: snapshot.storage.k8s.io/v1, kind: VolumeSnapshot, namespace: apps, name: $1, uid: $(kubectl -n apps get volumesnapshot "$1" -o jsonpath='{.metadata.uid}')}
YAML
  kubectl patch volumesnapshotcontent "snapcontent-$2" --type=merge --field-manager=csi-snapshotter \
    -p "status: {readyToUse: true, restoreSize: 10737418240, snapshotHandle: zvol-snapshots/$4/snapshot-$2}"
}
snapshot velero-data-wq7kx 69bef5fd-2c1d-4b3a-9a57-5c8f0e2d7b11 org.democratic-csi.iscsi pvc-87d848ee-0b51-4a8e-8d0c-1f7c9a3e5b22
snapshot velero-other-b2tzn 70bef5fd-2c1d-4b3a-9a57-5c8f0e2d7b11 org.democratic-csi.nfs pvc-97d848ee-0b51-4a8e-8d0c-1f7c9a3e5b22
# The restored volume.
kubectl -n apps apply -f - <<'YAML'
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: data-restored, labels: {velero.io/restore-name: nightly-20260330}}
spec:
  storageClassName: iscsi
  volumeName: pvc-da509398-77a4-4c0b-a5b0-3e0f4d9c6a10
  accessModes: [ReadWriteOnce]
  resources: {requests: {storage: 10Gi}}
  dataSource: {apiGroup: snapshot.storage.k8s.io, kind: VolumeSnapshot, name: velero-data-wq7kx}
YAML
kubectl apply --server-side --field-manager=csi-provisioner -f - <<YAML
apiVersion: v1
kind: PersistentVolume
metadata:
  name: pvc-da509398-77a4-4c0b-a5b0-3e0f4d9c6a10
  annotations: {pv.kubernetes.io/provisioned-by: org.democratic-csi.iscsi}
  finalizers: [external-provisioner.volume.kubernetes.io/finalizer]
spec:
  capacity: {storage: 10Gi}
  accessModes: [ReadWriteOnce]
  persistentVolumeReclaimPolicy: Delete
  storageClassName: iscsi
  csi: {driver: org.democratic-csi.iscsi, volumeHandle: pvc-da509398-77a4-4c0b-a5b0-3e0f4d9c6a10}
  claimRef: {apiVersion: v1, kind: PersistentVolumeClaim, namespace: apps, name: data-restored, uid: $(kubectl -n apps get pvc data-restored -o jsonpath='{.metadata.uid}')}
YAML
bound() { is Bound '{.status.phase}' pvc "$1" -n apps; }
wait_for 60 "the claim is bound" bound data-restored
content=snapcontent-69bef5fd-2c1d-4b3a-9a57-5c8f0e2d7b11
kubectl -n apps delete volumesnapshot velero-data-wq7kx --wait=false
kubectl annotate volumesnapshotcontent $content snapshot.storage.kubernetes.io/volumesnapshot-being-deleted=yes --field-manager=snapshot-controller
kubectl delete volumesnapshotcontent $content --wait=false
kubectl -n apps patch volumesnapshot velero-data-wq7kx --type=merge --field-manager=snapshot-controller \
  -p 'metadata: {finalizers: [snapshot.storage.kubernetes.io/volumesnapshot-bound-protection]}'
late
aged 180 /registry/snapshot.storage.k8s.io/volumesnapshotcontents/$content volumesnapshotcontent $content
aged 180 /registry/snapshot.storage.k8s.io/volumesnapshots/apps/velero-data-wq7kx volumesnapshot velero-data-wq7kx -n apps
event "" volumesnapshotcontent $content SnapshotDeleteError 'Failed to delete snapshot' 'csi-snapshotter org.democratic-csi.iscsi'
