# A snapshot was deleted while a claim was being created from it. The controller saw that and does
# not check again. The claim is bound by now. A claim from another snapshot is still being created.
node worker Ready
crd volumesnapshots snapshot.storage.k8s.io VolumeSnapshot
crd volumesnapshotcontents snapshot.storage.k8s.io VolumeSnapshotContent Cluster
all="volumesnapshots.snapshot.storage.k8s.io volumesnapshotcontents.snapshot.storage.k8s.io"
works 600 kube-system snapshot-controller $all
leading kube-system snapshot-controller-leader snapshot-controller-6f5b_1
# driver NAMESPACE NAME DRIVER CLASS creates the controller of a driver with its sidecars.
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
      - {name: driver, image: "example.invalid/$2:v1.15.0", args: [--drivername=$3]}
      - {name: csi-provisioner, image: "example.invalid/csi-provisioner:v5.3.0", args: [--csi-address=/csi/csi.sock, --leader-election]}
      - {name: csi-snapshotter, image: "example.invalid/csi-snapshotter:v8.4.0", args: [--csi-address=/csi/csi.sock, --leader-election]}
---
apiVersion: storage.k8s.io/v1
kind: CSIDriver
metadata: {name: $3}
spec: {attachRequired: true}
---
apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: {name: $4}
provisioner: $3
YAML
  pods_on worker "$1" "$2"
  pods_running_since 600 "$1" "$2"
  leading "$1" "external-snapshotter-leader-${3//./-}" "$(pods_of "$1" "$2")"
}
driver csi-hostpath csi-hostpathplugin hostpath.csi.k8s.io csi-hostpath-sc
kubectl create namespace ci
# snapshot NAME ID creates a snapshot and its content.
snapshot() {
  kubectl apply --server-side --field-manager=snapshot-controller -f - <<YAML
apiVersion: snapshot.storage.k8s.io/v1
kind: VolumeSnapshot
metadata:
  name: $1
  namespace: ci
  finalizers: [snapshot.storage.kubernetes.io/volumesnapshot-as-source-protection, snapshot.storage.kubernetes.io/volumesnapshot-bound-protection]
spec: {source: {persistentVolumeClaimName: cache}, volumeSnapshotClassName: csi-hostpath-snapclass}
status: {boundVolumeSnapshotContentName: snapcontent-$2, readyToUse: true, restoreSize: 1Gi}
YAML
  kubectl apply --server-side --field-manager=snapshot-controller -f - <<YAML
apiVersion: snapshot.storage.k8s.io/v1
kind: VolumeSnapshotContent
metadata:
  name: snapcontent-$2
  finalizers: [snapshot.storage.kubernetes.io/volumesnapshotcontent-bound-protection]
spec:
  deletionPolicy: Delete
  driver: hostpath.csi.k8s.io
  source: {volumeHandle: 8d0c1f7c-9a3e-11f0-8e1a-0242ac110002}
  volumeSnapshotClassName: csi-hostpath-snapclass
  volumeSnapshotRef: {apiVersion: snapshot.storage.k8s.io/v1, kind: VolumeSnapshot, namespace: ci, name: $1, uid: $(kubectl -n ci get volumesnapshot "$1" -o jsonpath='{.metadata.uid}')}
YAML
  kubectl patch volumesnapshotcontent "snapcontent-$2" --type=merge --field-manager=csi-snapshotter \
    -p "status: {readyToUse: true, restoreSize: 1073741824, snapshotHandle: $2}"
}
snapshot cache-0900 5c8f0e2d-0000-4b3a-9a57-000000000001
snapshot cache-0930 5c8f0e2d-0000-4b3a-9a57-000000000002
# restored CLAIM SNAPSHOT creates a claim from a snapshot.
restored() {
  kubectl -n ci apply -f - <<YAML
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: $1}
spec:
  storageClassName: csi-hostpath-sc
  accessModes: [ReadWriteOnce]
  resources: {requests: {storage: 1Gi}}
  dataSource: {apiGroup: snapshot.storage.k8s.io, kind: VolumeSnapshot, name: $2}
YAML
}
restored job-17 cache-0900
restored job-18 cache-0930
kubectl -n ci delete volumesnapshot cache-0900 --wait=false
kubectl -n ci create -f - <<YAML
apiVersion: v1
kind: Event
metadata: {generateName: "cache-0900."}
involvedObject: {apiVersion: snapshot.storage.k8s.io/v1, kind: VolumeSnapshot, namespace: ci, name: cache-0900,
  uid: $(kubectl -n ci get volumesnapshot cache-0900 -o jsonpath='{.metadata.uid}')}
type: Warning
reason: SnapshotDeletePending
message: Snapshot is being used to restore a PVC
source: {component: snapshot-controller}
count: 1
firstTimestamp: "$(date -u -d '-50 minutes' +%FT%TZ)"
lastTimestamp: "$(date -u -d '-50 minutes' +%FT%TZ)"
YAML
if [ -z "${TWIN:-}" ]; then
  uid=$(kubectl -n ci get pvc job-17 -o jsonpath='{.metadata.uid}')
  kubectl apply --server-side --field-manager=csi-provisioner -f - <<YAML
apiVersion: v1
kind: PersistentVolume
metadata:
  name: pvc-$uid
  annotations: {pv.kubernetes.io/provisioned-by: hostpath.csi.k8s.io}
  finalizers: [external-provisioner.volume.kubernetes.io/finalizer]
spec:
  capacity: {storage: 1Gi}
  accessModes: [ReadWriteOnce]
  persistentVolumeReclaimPolicy: Delete
  storageClassName: csi-hostpath-sc
  csi: {driver: hostpath.csi.k8s.io, volumeHandle: $uid}
  claimRef: {apiVersion: v1, kind: PersistentVolumeClaim, namespace: ci, name: job-17, uid: $uid}
YAML
  bound() { is Bound '{.status.phase}' pvc "$1" -n ci; }
  wait_for 60 "the claim is bound" bound job-17
fi
late
aged 50 /registry/snapshot.storage.k8s.io/volumesnapshots/ci/cache-0900 volumesnapshot cache-0900 -n ci
[ -z "${TWIN:-}" ] || event ci pvc job-17 ProvisioningFailed \
  'failed to provision volume with StorageClass \"csi-hostpath-sc\": rpc error: code = ResourceExhausted desc = requested capacity 1073741824 exceeds what is left in the pool' \
  hostpath.csi.k8s.io_csi-hostpathplugin
