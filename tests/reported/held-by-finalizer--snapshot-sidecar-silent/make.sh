# A namespace with a snapshot was deleted. The snapshot controller has annotated the content and is
# done. The sidecar of the content's driver has to remove the finalizer of the content, but runs and
# gives no reason.
node worker Ready
settled worker
crd volumesnapshots snapshot.storage.k8s.io VolumeSnapshot
crd volumesnapshotcontents snapshot.storage.k8s.io VolumeSnapshotContent Cluster
all="volumesnapshots.snapshot.storage.k8s.io volumesnapshotcontents.snapshot.storage.k8s.io"
works 600 kube-system snapshot-controller $all
leading kube-system snapshot-controller-leader snapshot-controller-6f5b_1
# driver NAMESPACE NAME creates the controller of a driver with the sidecar.
driver() {
  service_account "$1" "$2"
  rights "$1-$2" volumesnapshotcontents.snapshot.storage.k8s.io persistentvolumes.
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
      - {name: manager, image: example.invalid/$2}
      - {name: csi-snapshotter, image: "example.invalid/csi-snapshotter:v6.2.2", args: [--csi-address=/csi/csi.sock, --leader-election]}
YAML
  pods_on worker "$1" "$2"
  pods_running_since 600 "$1" "$2"
}
driver vmware-system-csi vsphere-csi-controller
[ -n "${TWIN:-}" ] || leading vmware-system-csi external-snapshotter-leader-csi-vsphere-vmware-com vsphere-csi-controller-7d9_1
[ -z "${TWIN:-}" ] || kubectl -n vmware-system-csi scale deployment vsphere-csi-controller --replicas=0
driver nfs-csi nfs-csi-controller
for name in csi.vsphere.vmware.com nfs.csi.k8s.io; do
  kubectl apply -f - <<YAML
apiVersion: storage.k8s.io/v1
kind: CSIDriver
metadata: {name: $name}
spec: {attachRequired: true}
YAML
done
kubectl create namespace tenant-a
kubectl apply --server-side --field-manager=snapshot-controller -f - <<'YAML'
apiVersion: snapshot.storage.k8s.io/v1
kind: VolumeSnapshot
metadata:
  name: data-0
  namespace: tenant-a
  finalizers: [snapshot.storage.kubernetes.io/volumesnapshot-bound-protection]
spec: {source: {persistentVolumeClaimName: data-0}, volumeSnapshotClassName: vsphere}
status: {boundVolumeSnapshotContentName: snapcontent-4f1e, readyToUse: true}
---
apiVersion: snapshot.storage.k8s.io/v1
kind: VolumeSnapshotContent
metadata:
  name: snapcontent-4f1e
  annotations: {snapshot.storage.kubernetes.io/volumesnapshot-being-deleted: "yes"}
  finalizers: [snapshot.storage.kubernetes.io/volumesnapshotcontent-bound-protection]
spec:
  deletionPolicy: Delete
  driver: csi.vsphere.vmware.com
  source: {volumeHandle: 6a7d5b1e-0000-4b5c-9f00-000000000001}
  volumeSnapshotClassName: vsphere
  volumeSnapshotRef: {kind: VolumeSnapshot, namespace: tenant-a, name: data-0}
status: {readyToUse: true, snapshotHandle: 6a7d5b1e+1}
---
apiVersion: snapshot.storage.k8s.io/v1
kind: VolumeSnapshotContent
metadata:
  name: snapcontent-other
  finalizers: [snapshot.storage.kubernetes.io/volumesnapshotcontent-bound-protection]
spec:
  deletionPolicy: Delete
  driver: nfs.csi.k8s.io
  source: {volumeHandle: x}
  volumeSnapshotRef: {kind: VolumeSnapshot, namespace: default, name: other}
YAML
kubectl delete namespace tenant-a --wait=false
looked tenant-a
kubectl delete volumesnapshotcontent snapcontent-4f1e --wait=false
late
aged 55 /registry/snapshot.storage.k8s.io/volumesnapshotcontents/snapcontent-4f1e volumesnapshotcontent snapcontent-4f1e
aged 55 /registry/snapshot.storage.k8s.io/volumesnapshots/tenant-a/data-0 volumesnapshot data-0 -n tenant-a
aged 56 /registry/namespaces/tenant-a namespace tenant-a
