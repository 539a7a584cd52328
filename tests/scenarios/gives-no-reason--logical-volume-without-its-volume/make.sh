# Somebody deleted a retained PersistentVolume, because its data was no longer needed, and then the
# logical volume behind it. The driver removes its finalizer only when it deletes a
# PersistentVolume, and there is none any more. The node's agent waits until its finalizer is the
# only one left.
node worker Ready
node worker-2 Ready
settled worker
settled worker-2
crd lvmlogicalvolumes storage.deckhouse.io LVMLogicalVolume Cluster v1alpha1
crd lvmvolumegroups storage.deckhouse.io LVMVolumeGroup Cluster v1alpha1
crd blockdevices storage.deckhouse.io BlockDevice Cluster v1alpha1
crd localstorageclasses storage.deckhouse.io LocalStorageClass Cluster v1alpha1
for name in lvmlogicalvolumes lvmvolumegroups; do
  kubectl patch crd $name.storage.deckhouse.io --type=json -p '[{"op": "add", "path": "/spec/versions/0/subresources", "value": {"status": {}}}]'
  old_kind $name.storage.deckhouse.io
done
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
metadata: {name: "$1"}
rules: [$4]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: "$1"}
subjects: [{kind: ServiceAccount, name: $3, namespace: $2}]
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: "$1"}
YAML
}
bound d8:sds-local-volume:sds-local-volume-csi-controller d8-sds-local-volume csi \
  '{apiGroups: [""], resources: [persistentvolumes, persistentvolumeclaims, persistentvolumeclaims/status], verbs: [get, list, watch, create, update, patch, delete]},
   {apiGroups: [storage.k8s.io], resources: [storageclasses, csinodes], verbs: [get, list, watch]},
   {apiGroups: [storage.deckhouse.io], resources: [lvmvolumegroups, lvmlogicalvolumes, lvmlogicalvolumesnapshots, localstorageclasses], verbs: [get, list, create, delete, watch, update]}'
bound d8:sds-node-configurator:sds-node-configurator d8-sds-node-configurator agent \
  '{apiGroups: [""], resources: [nodes], verbs: [get, list, watch]},
   {apiGroups: [""], resources: [events], verbs: [create, list]},
   {apiGroups: [storage.deckhouse.io], resources: [blockdevices, lvmvolumegroups, lvmvolumegroups/status, lvmlogicalvolumes, lvmlogicalvolumes/status], verbs: [get, list, create, delete, watch, update]}'
bound d8:sds-local-volume:controller d8-sds-local-volume controller \
  '{apiGroups: [storage.deckhouse.io], resources: [localstorageclasses, lvmvolumegroups], verbs: [get, list, watch, update]},
   {apiGroups: [storage.k8s.io], resources: [storageclasses], verbs: [get, list, watch, create, delete]}'
kubectl apply -f - <<'YAML'
apiVersion: apps/v1
kind: Deployment
metadata: {name: csi-controller, namespace: d8-sds-local-volume}
spec:
  replicas: 1
  selector: {matchLabels: {app.kubernetes.io/name: csi-controller}}
  template:
    metadata: {labels: {app.kubernetes.io/name: csi-controller, app: csi-controller}}
    spec:
      serviceAccountName: csi
      automountServiceAccountToken: false
      containers:
      - {name: provisioner, image: "example.invalid/csi-external-provisioner:v5.3.0", args: ["--csi-address=/csi/csi.sock", --leader-election=true]}
      - {name: resizer, image: "example.invalid/csi-external-resizer:v1.14.0"}
      - {name: controller, image: "example.invalid/sds-local-volume-csi:v0.4.5"}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: controller, namespace: d8-sds-local-volume}
spec:
  replicas: 1
  selector: {matchLabels: {app.kubernetes.io/name: controller}}
  template:
    metadata: {labels: {app.kubernetes.io/name: controller, app: controller}}
    spec: {serviceAccountName: controller, automountServiceAccountToken: false, containers: [{name: controller, image: "example.invalid/sds-local-volume-controller:v0.4.5"}]}
---
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: sds-node-configurator, namespace: d8-sds-node-configurator}
spec:
  selector: {matchLabels: {app.kubernetes.io/name: sds-node-configurator}}
  template:
    metadata: {labels: {app.kubernetes.io/name: sds-node-configurator, app: sds-node-configurator}}
    spec: {serviceAccountName: agent, automountServiceAccountToken: false, containers: [{name: sds-node-configurator-agent, image: "example.invalid/agent:v0.5.2"}]}
---
apiVersion: storage.k8s.io/v1
kind: CSIDriver
metadata: {name: local.csi.storage.deckhouse.io}
spec: {attachRequired: false}
---
apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: {name: local-retain}
provisioner: local.csi.storage.deckhouse.io
reclaimPolicy: Retain
volumeBindingMode: WaitForFirstConsumer
YAML
pods_on worker d8-sds-local-volume csi-controller
pods_running_since 14400 d8-sds-local-volume csi-controller provisioner resizer controller
leading d8-sds-local-volume local-csi-storage-deckhouse-io "$(pods_of d8-sds-local-volume csi-controller)"
pods_on worker d8-sds-local-volume controller
pods_running_since 14400 d8-sds-local-volume controller controller
leading d8-sds-local-volume sds-local-volume-controller "$(pods_of d8-sds-local-volume controller)_3e0c"
agents_ready d8-sds-node-configurator sds-node-configurator 2
pods_running_since 14400 d8-sds-node-configurator sds-node-configurator sds-node-configurator-agent
kubectl create --field-manager=agent -f - <<'YAML'
apiVersion: storage.deckhouse.io/v1alpha1
kind: LVMVolumeGroup
metadata: {name: vg-data-worker, finalizers: [storage.deckhouse.io/sds-node-configurator]}
spec: {type: Local, local: {nodeName: worker}, actualVGNameOnTheNode: vg-data}
YAML
# volume NAME CLAIM creates a retained volume, which is Released because its claim does not exist.
volume() {
  kubectl create --field-manager=sds-local-volume-csi -f - <<YAML
apiVersion: storage.deckhouse.io/v1alpha1
kind: LVMLogicalVolume
metadata: {name: $1, finalizers: [storage.deckhouse.io/sds-local-volume-csi]}
spec: {actualLVNameOnTheNode: $1, type: Thick, size: 20Gi, lvmVolumeGroupName: vg-data-worker, thick: {contiguous: false}}
YAML
  kubectl patch lvmlogicalvolumes.storage.deckhouse.io "$1" --type=json --field-manager=agent \
    -p '[{"op": "add", "path": "/metadata/finalizers/-", "value": "storage.deckhouse.io/sds-node-configurator"}]'
  kubectl patch lvmlogicalvolumes.storage.deckhouse.io "$1" --subresource=status --type=merge --field-manager=agent -p 'status: {phase: Created, reason: "", actualSize: 20Gi}'
  kubectl apply --server-side --field-manager=csi-provisioner -f - <<YAML
apiVersion: v1
kind: PersistentVolume
metadata: {name: $1, annotations: {pv.kubernetes.io/provisioned-by: local.csi.storage.deckhouse.io}}
spec:
  capacity: {storage: 20Gi}
  accessModes: [ReadWriteOnce]
  persistentVolumeReclaimPolicy: Retain
  storageClassName: local-retain
  csi: {driver: local.csi.storage.deckhouse.io, volumeHandle: $1, volumeAttributes: {local.csi.storage.deckhouse.io/type: lvm, local.csi.storage.deckhouse.io/volume-node: worker}}
  claimRef: {apiVersion: v1, kind: PersistentVolumeClaim, namespace: db, name: $2, uid: 5f0b7f0c-8a35-4f52-9a1b-0d1a4b6b7e01}
  nodeAffinity: {required: {nodeSelectorTerms: [{matchExpressions: [{key: topology.sds-local-volume-csi/node, operator: In, values: [worker]}]}]}}
YAML
}
kubectl create namespace db
llv=pvc-3b1a6f0d-52c7-4a3c-8f6e-7d90c2b4e801
volume $llv data-old
volume pvc-c7e45f12-9a0b-4d8e-a6d1-1f3b5c7d9e02 data-kept
released() { is Released '{.status.phase}' pv "$1"; }
wait_for 60 "the volume is released" released $llv
[ -n "${TWIN:-}" ] || kubectl delete pv $llv
kubectl delete lvmlogicalvolumes.storage.deckhouse.io $llv --wait=false
late
aged 1500 /registry/storage.deckhouse.io/lvmlogicalvolumes/$llv lvmlogicalvolumes.storage.deckhouse.io $llv
