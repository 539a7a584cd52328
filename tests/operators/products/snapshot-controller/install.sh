# Functions for states of snapshots. TOGETHER is the namespace of the controller if it is shared.

install_snapshot_controller() {
  kubectl kustomize "$SNAPSHOT_CLIENT/config/crd" >"$PLANE/snapshot-crds.yaml"
  apply_as_installer "$PLANE/snapshot-crds.yaml"
  kubectl wait --for=condition=Established -f "$PLANE/snapshot-crds.yaml" --timeout=60s
  local in=${TOGETHER:-kube-system}
  namespace "$in"
  kubectl kustomize "$SNAPSHOTTER/deploy/kubernetes/snapshot-controller" |
    sed "s/namespace: kube-system/namespace: $in/" >"$PLANE/snapshot-controller.yaml"
  apply_as_installer "$PLANE/snapshot-controller.yaml"
  # One replica gives the same answers as two. Only the leader works.
  kubectl -n "$in" scale deployment snapshot-controller --replicas=1
  up "$in" snapshot-controller
}

# driver NAME REPLICAS Delete|Retain installs a CSI driver and a VolumeSnapshotClass. Its sidecar is
# only reported as running, unless SIDECAR is csi-snapshotter: that one exits because the driver has
# no socket. Retained content needs no driver to be deleted.
driver() {
  kubectl apply --field-manager=helm -f - <<YAML
apiVersion: storage.k8s.io/v1
kind: CSIDriver
metadata: {name: $1}
spec: {attachRequired: false}
---
apiVersion: snapshot.storage.k8s.io/v1
kind: VolumeSnapshotClass
metadata: {name: fast}
driver: $1
deletionPolicy: $3
YAML
  namespace storage
  # The sidecar has the permissions from the product's own manifests.
  rm -rf "$PLANE/sidecar" && mkdir "$PLANE/sidecar"
  cp "$SNAPSHOTTER/deploy/kubernetes/csi-snapshotter/rbac-csi-snapshotter.yaml" "$PLANE/sidecar/rbac.yaml"
  sed -i 's/namespace: default.*/namespace: storage/' "$PLANE/sidecar/rbac.yaml"
  kubectl apply --server-side --field-manager=helm -n storage -f "$PLANE/sidecar/rbac.yaml"
  kubectl apply --field-manager=helm -f - <<YAML
apiVersion: apps/v1
kind: Deployment
metadata: {name: csi-driver, namespace: storage}
spec:
  replicas: $2
  selector: {matchLabels: {app: csi-driver}}
  template:
    metadata: {labels: {app: csi-driver}}
    spec:
      serviceAccountName: csi-snapshotter
      containers:
      - {name: csi-snapshotter, image: "example.invalid/${SIDECAR:-sidecar}:v8", args: ["--csi-address=/csi/csi.sock"]}
      - {name: driver, image: "example.invalid/driver", args: ["--drivername=$1"]}
YAML
  up storage csi-driver
}

# volume NAMESPACE CLAIM DRIVER creates a claim that is bound to a volume of the driver.
volume() {
  kubectl apply -f - <<YAML
apiVersion: v1
kind: PersistentVolume
metadata: {name: pv-$2, annotations: {pv.kubernetes.io/provisioned-by: $3}}
spec:
  capacity: {storage: 1Gi}
  accessModes: [ReadWriteOnce]
  persistentVolumeReclaimPolicy: Retain
  storageClassName: ""
  claimRef: {namespace: $1, name: $2}
  csi: {driver: $3, volumeHandle: $2}
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: $2, namespace: $1}
spec: {accessModes: [ReadWriteOnce], storageClassName: "", volumeName: pv-$2, resources: {requests: {storage: 1Gi}}}
YAML
  wait_for 30 "claim $2 is bound" is Bound '{.status.phase}' pvc "$2" -n "$1"
}

# snapshot NAMESPACE NAME CLAIM creates a snapshot and waits until the controller has created its
# content.
snapshot() {
  kubectl apply -f - <<YAML
apiVersion: snapshot.storage.k8s.io/v1
kind: VolumeSnapshot
metadata: {name: $2, namespace: $1}
spec: {volumeSnapshotClassName: fast, source: {persistentVolumeClaimName: $3}}
YAML
  wait_for 60 "snapshot $2 has a content" has_content "$1" "$2"
}
has_content() { test -n "$(content "$1" "$2")"; }
content() {
  kubectl get volumesnapshotcontents -o json |
    sed -n '/"name": "snapcontent-/{s/.*"name": "\(.*\)".*/\1/p;q}'
}

# taken NAMESPACE NAME reports that the driver has taken the snapshot.
taken() {
  kubectl patch volumesnapshotcontent "$(content "$1" "$2")" --subresource=status --type=merge \
    --field-manager=csi-snapshotter -p '{"status": {"snapshotHandle": "handle-1", "readyToUse": true,
      "creationTime": 1700000000000000000, "restoreSize": 1073741824}}'
  wait_for 60 "snapshot $2 is ready" is true '{.status.readyToUse}' volumesnapshot "$2" -n "$1"
}

# cut NAMESPACE NAME removes the content's finalizers when it is being deleted, as the sidecar does
# after the driver has deleted the snapshot.
cut() {
  local content
  content=$(content "$1" "$2")
  wait_for 60 "the content's turn has come" being_deleted "$content"
  kubectl patch volumesnapshotcontent "$content" --type=merge --field-manager=csi-snapshotter \
    -p '{"metadata": {"finalizers": null}}'
}
being_deleted() { kubectl get volumesnapshotcontent "$1" -o yaml | grep -q deletionTimestamp; }

# a_snapshot [Delete|Retain] creates a snapshot in namespace shop that is ready to use.
a_snapshot() {
  namespace shop
  driver csi.acme.io 1 "${1:-Retain}"
  volume shop data csi.acme.io
  snapshot shop nightly data
  taken shop nightly
}

# guarded checks that the claim has the finalizer of a snapshot source.
guarded() { kubectl -n shop get pvc data -o yaml | grep -q pvc-as-source-protection; }
