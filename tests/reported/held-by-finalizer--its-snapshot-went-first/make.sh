# Backup software created snapshots of all volumes at once and deleted them again. One content is
# left and is being deleted, but without the annotation that the snapshot controller sets only while
# the snapshot exists. The sidecar of the driver waits for the annotation and gives no reason.
node worker Ready
settled worker
crd volumesnapshots snapshot.storage.k8s.io VolumeSnapshot
old_kind volumesnapshots.snapshot.storage.k8s.io
crd volumesnapshotcontents snapshot.storage.k8s.io VolumeSnapshotContent Cluster
old_kind volumesnapshotcontents.snapshot.storage.k8s.io
crd volumesnapshotclasses snapshot.storage.k8s.io VolumeSnapshotClass Cluster
old_kind volumesnapshotclasses.snapshot.storage.k8s.io
# bound ROLE NAMESPACE ACCOUNT RULES creates an account with its own ClusterRole.
bound() {
  namespace "$2"
  kubectl apply -f - <<YAML
apiVersion: v1
kind: ServiceAccount
metadata: {name: $3, namespace: $2}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: $1}
rules: [$4]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: $1}
subjects: [{kind: ServiceAccount, name: $3, namespace: $2}]
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: $1}
YAML
}
bound snapshot-controller-runner openshift-cluster-storage-operator csi-snapshot-controller \
  '{apiGroups: [snapshot.storage.k8s.io], resources: [volumesnapshotcontents, volumesnapshots], verbs: [create, get, list, watch, update, delete, patch]},
   {apiGroups: [snapshot.storage.k8s.io], resources: [volumesnapshotcontents/status, volumesnapshots/status], verbs: [update, patch]},
   {apiGroups: [""], resources: [persistentvolumes, persistentvolumeclaims], verbs: [get, list, watch]}'
deployment openshift-cluster-storage-operator csi-snapshot-controller 1
pods_on worker openshift-cluster-storage-operator csi-snapshot-controller
pods_running_since 28800 openshift-cluster-storage-operator csi-snapshot-controller
leading openshift-cluster-storage-operator snapshot-controller-leader "$(pods_of openshift-cluster-storage-operator csi-snapshot-controller)"
# driver NAME DRIVER CLASS creates the controller of a driver with its sidecars.
driver() {
  bound "$1-runner" rook-ceph "rook-$1-sa" \
    '{apiGroups: [snapshot.storage.k8s.io], resources: [volumesnapshotclasses], verbs: [get, list, watch]},
     {apiGroups: [snapshot.storage.k8s.io], resources: [volumesnapshotcontents], verbs: [get, list, watch, update, patch]},
     {apiGroups: [snapshot.storage.k8s.io], resources: [volumesnapshotcontents/status], verbs: [update, patch]},
     {apiGroups: [snapshot.storage.k8s.io], resources: [volumesnapshots], verbs: [get, list]},
     {apiGroups: [""], resources: [persistentvolumes], verbs: [get, list, watch, create, delete, patch]},
     {apiGroups: [""], resources: [persistentvolumeclaims], verbs: [get, list, watch, update]}'
  kubectl apply --field-manager=rook -f - <<YAML
apiVersion: apps/v1
kind: Deployment
metadata: {name: $1, namespace: rook-ceph}
spec:
  replicas: 1
  selector: {matchLabels: {app: $1, app.kubernetes.io/name: $1}}
  template:
    metadata: {labels: {app: $1, app.kubernetes.io/name: $1}}
    spec:
      serviceAccountName: rook-$1-sa
      automountServiceAccountToken: false
      containers:
      - {name: csi-provisioner, image: "example.invalid/csi-provisioner:v5.1.0", args: [--csi-address=unix:///csi/csi-provisioner.sock, --leader-election=true]}
      - {name: csi-snapshotter, image: "example.invalid/csi-snapshotter:v8.2.0", args: [--csi-address=unix:///csi/csi-provisioner.sock, --leader-election=true]}
      - {name: csi-attacher, image: "example.invalid/csi-attacher:v4.8.0", args: [--csi-address=unix:///csi/csi-provisioner.sock, --leader-election=true]}
      - {name: csi-plugin, image: "example.invalid/cephcsi:v3.13.0", args: [--controllerserver=true, --drivername=$2]}
---
apiVersion: storage.k8s.io/v1
kind: CSIDriver
metadata: {name: $2}
spec: {attachRequired: true}
---
apiVersion: snapshot.storage.k8s.io/v1
kind: VolumeSnapshotClass
metadata: {name: $3}
driver: $2
deletionPolicy: Delete
YAML
  pods_on worker rook-ceph "$1"
  pods_running_since 28800 rook-ceph "$1"
  leading rook-ceph "external-snapshotter-leader-${2//./-}" "$(pods_of rook-ceph "$1")"
}
driver csi-cephfsplugin-provisioner rook-ceph.cephfs.csi.ceph.com csi-cephfsplugin-snapclass
driver csi-rbdplugin-provisioner rook-ceph.rbd.csi.ceph.com csi-rbdplugin-snapclass
crd cephfilesystems ceph.rook.io CephFilesystem
works 28800 rook-ceph rook-ceph-operator cephfilesystems.ceph.rook.io
# The backup software, which creates and deletes snapshots.
bound cv-cluster-role commvault cvbackup \
  '{apiGroups: [snapshot.storage.k8s.io], resources: [volumesnapshots, volumesnapshotcontents], verbs: ["*"]},
   {apiGroups: [""], resources: [persistentvolumes, persistentvolumeclaims], verbs: ["*"]}'
deployment commvault cvbackup 1
pods_on worker commvault cvbackup
pods_running_since 28800 commvault cvbackup
kubectl create namespace mynamespace
# snapshot NAME CONTENT NUMBER creates a snapshot and its content.
snapshot() {
  kubectl apply --server-side --field-manager=cvbackup -f - <<YAML
apiVersion: snapshot.storage.k8s.io/v1
kind: VolumeSnapshot
metadata: {name: $1, namespace: mynamespace}
spec: {source: {persistentVolumeClaimName: myapp-ui}, volumeSnapshotClassName: csi-cephfsplugin-snapclass}
YAML
  kubectl apply --server-side --field-manager=snapshot-controller -f - <<YAML
apiVersion: snapshot.storage.k8s.io/v1
kind: VolumeSnapshotContent
metadata:
  name: $2
  annotations:
    snapshot.storage.kubernetes.io/deletion-secret-name: rook-csi-cephfs-provisioner
    snapshot.storage.kubernetes.io/deletion-secret-namespace: rook-ceph
  finalizers: [snapshot.storage.kubernetes.io/volumesnapshotcontent-bound-protection]
spec:
  deletionPolicy: Delete
  driver: rook-ceph.cephfs.csi.ceph.com
  source: {volumeHandle: 0001-0009-rook-ceph-0000000000000001-ca5a0fcb-945f-4ddc-a759-cde49db9f817}
  sourceVolumeMode: Filesystem
  volumeSnapshotClassName: csi-cephfsplugin-snapclass
  volumeSnapshotRef: {apiVersion: snapshot.storage.k8s.io/v1, kind: VolumeSnapshot, namespace: mynamespace, name: $1,
    uid: $(kubectl -n mynamespace get volumesnapshot "$1" -o jsonpath='{.metadata.uid}')}
YAML
  kubectl patch volumesnapshotcontent "$2" --type=merge --field-manager=csi-snapshotter \
    -p "status: {readyToUse: true, restoreSize: 10737418240, snapshotHandle: 0001-0009-rook-ceph-0000000000000001-$3}"
  kubectl -n mynamespace patch volumesnapshot "$1" --type=merge --field-manager=snapshot-controller -p "
metadata: {finalizers: [snapshot.storage.kubernetes.io/volumesnapshot-as-source-protection, snapshot.storage.kubernetes.io/volumesnapshot-bound-protection]}
status: {boundVolumeSnapshotContentName: $2, readyToUse: true, restoreSize: 10Gi}"
}
snapshot myapp-ui-cv-3088828 snapcontent-8056b7dc-b1a7-4220-ac8e-c31cc025e2df 3f0c5a1e-19c4-4a4e-b9d4-5c1a0d7f7a01
snapshot myapp-ui-nightly snapcontent-1b7e4f55-0c0e-4f8e-8a5b-7d0d5d5a4b02 3f0c5a1e-19c4-4a4e-b9d4-5c1a0d7f7a02
if [ -z "${TWIN:-}" ]; then
  kubectl -n mynamespace patch volumesnapshot myapp-ui-cv-3088828 --type=merge --field-manager=snapshot-controller -p 'metadata: {finalizers: null}'
  kubectl -n mynamespace delete volumesnapshot myapp-ui-cv-3088828
fi
kubectl delete volumesnapshotcontent snapcontent-8056b7dc-b1a7-4220-ac8e-c31cc025e2df --wait=false
late
contents=/registry/snapshot.storage.k8s.io/volumesnapshotcontents
old 72000 $contents/snapcontent-8056b7dc-b1a7-4220-ac8e-c31cc025e2df volumesnapshotcontent snapcontent-8056b7dc-b1a7-4220-ac8e-c31cc025e2df
old 600 $contents/snapcontent-1b7e4f55-0c0e-4f8e-8a5b-7d0d5d5a4b02 volumesnapshotcontent snapcontent-1b7e4f55-0c0e-4f8e-8a5b-7d0d5d5a4b02
old 600 /registry/snapshot.storage.k8s.io/volumesnapshots/mynamespace/myapp-ui-nightly volumesnapshot myapp-ui-nightly -n mynamespace
[ -z "${TWIN:-}" ] || old 72000 /registry/snapshot.storage.k8s.io/volumesnapshots/mynamespace/myapp-ui-cv-3088828 volumesnapshot myapp-ui-cv-3088828 -n mynamespace
