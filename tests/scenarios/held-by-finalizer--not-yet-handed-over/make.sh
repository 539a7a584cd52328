# A content that the snapshot-controller has not yet handed over to the sidecar of the driver: it is
# scaled to nothing. The sidecar runs.
node worker Ready
kubectl apply -f - <<'YAML'
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: volumesnapshotcontents.snapshot.storage.k8s.io
  annotations: {api-approved.kubernetes.io: "https://github.com/kubernetes-csi/external-snapshotter/pull/814"}
spec:
  group: snapshot.storage.k8s.io
  names: {plural: volumesnapshotcontents, singular: volumesnapshotcontent, kind: VolumeSnapshotContent}
  scope: Cluster
  versions:
  - name: v1
    served: true
    storage: true
    subresources: {status: {}}
    schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
YAML
kubectl wait --for=condition=Established crd/volumesnapshotcontents.snapshot.storage.k8s.io --timeout=60s
wait_for 20 "they are served" kubectl get volumesnapshotcontents
operator kube-system snapshot-controller 0 volumesnapshotcontents.snapshot.storage.k8s.io
service_account plates-csi csi-controller
rights plates-csi volumesnapshotcontents.snapshot.storage.k8s.io
kubectl create clusterrolebinding plates-csi --clusterrole=plates-csi --serviceaccount=plates-csi:csi-controller
kubectl apply -f - <<'YAML'
apiVersion: storage.k8s.io/v1
kind: CSIDriver
metadata: {name: pool.plates.example}
spec: {attachRequired: false}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: csi-controller, namespace: plates-csi}
spec:
  replicas: 1
  selector: {matchLabels: {app.kubernetes.io/name: csi-controller}}
  template:
    metadata: {labels: {app.kubernetes.io/name: csi-controller}}
    spec:
      serviceAccountName: csi-controller
      automountServiceAccountToken: false
      containers:
      - {name: csi-snapshotter, image: example.invalid/csi-snapshotter}
      - {name: driver, image: example.invalid/driver, args: [--drivername=pool.plates.example]}
YAML
pods_ready plates-csi csi-controller
kubectl apply -f - <<'YAML'
apiVersion: snapshot.storage.k8s.io/v1
kind: VolumeSnapshotContent
metadata: {name: snapcontent-1}
spec:
  driver: pool.plates.example
  deletionPolicy: Delete
  volumeSnapshotRef: {namespace: shop, name: nightly}
  source: {volumeHandle: vol-1}
YAML
kubectl patch volumesnapshotcontents snapcontent-1 --type=merge --field-manager=snapshot-controller \
  -p "metadata: {finalizers: [snapshot.storage.kubernetes.io/volumesnapshotcontent-bound-protection]}"
kubectl delete volumesnapshotcontents snapcontent-1 --wait=false
aged 30 /registry/snapshot.storage.k8s.io/volumesnapshotcontents/snapcontent-1 volumesnapshotcontents snapcontent-1
