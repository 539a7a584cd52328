# A claim waits for its snapshot, the snapshot for its content, and the content for a driver that is
# gone. A snapshot of another claim is healthy.
for plural in volumesnapshots volumesnapshotcontents; do
  kind=VolumeSnapshot scope=Namespaced
  if [ $plural = volumesnapshotcontents ]; then kind=VolumeSnapshotContent scope=Cluster; fi
  kubectl apply -f - <<YAML
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: $plural.snapshot.storage.k8s.io
  annotations: {api-approved.kubernetes.io: "https://github.com/kubernetes-csi/external-snapshotter/pull/814"}
spec:
  group: snapshot.storage.k8s.io
  names: {plural: $plural, singular: ${kind,,}, kind: $kind}
  scope: $scope
  versions:
  - name: v1
    served: true
    storage: true
    subresources: {status: {}}
    schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
YAML
  kubectl wait --for=condition=Established "crd/$plural.snapshot.storage.k8s.io" --timeout=20s
  wait_for 20 "$plural are served" kubectl get "$plural" -A
done
kubectl create namespace shop
for name in data other; do
  kubectl -n shop apply -f - <<YAML
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: $name, finalizers: [snapshot.storage.kubernetes.io/pvc-as-source-protection]}
spec:
  accessModes: [ReadWriteOnce]
  storageClassName: none
  resources: {requests: {storage: 1Gi}}
---
apiVersion: snapshot.storage.k8s.io/v1
kind: VolumeSnapshot
metadata:
  name: $name
  finalizers: [snapshot.storage.kubernetes.io/volumesnapshot-bound-protection]
spec: {source: {persistentVolumeClaimName: $name}}
---
apiVersion: snapshot.storage.k8s.io/v1
kind: VolumeSnapshotContent
metadata:
  name: snapcontent-$name
  finalizers: [snapshot.storage.kubernetes.io/volumesnapshotcontent-bound-protection]
spec: {driver: disk.acme.io, deletionPolicy: Delete, volumeSnapshotRef: {name: $name, namespace: shop}}
YAML
  kubectl -n shop patch volumesnapshot $name --subresource=status --type=merge \
    -p "status: {boundVolumeSnapshotContentName: snapcontent-$name, readyToUse: $(test $name = other && echo true || echo false)}"
done
kubectl delete volumesnapshotcontent snapcontent-data --wait=false
kubectl -n shop delete volumesnapshot data --wait=false
kubectl -n shop delete pvc data --wait=false
sleep 1
kubectl patch volumesnapshotcontent snapcontent-data --subresource=status --type=merge \
  -p 'status: {error: {message: "rpc error: code = Unavailable desc = connection error: no such host csi.acme.example"}}'
late
