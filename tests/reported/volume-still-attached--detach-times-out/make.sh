# A node was drained and rebooted for maintenance and is back. The driver's controller cannot detach
# a disk: each call exceeds its deadline, and the driver reports no more than that. The recreated
# pods wait.
node worker Ready
node worker-2 Ready
settled worker
settled worker-2
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
bound proxmox-csi-plugin-controller csi-proxmox proxmox-csi-plugin-controller \
  '{apiGroups: [""], resources: [persistentvolumes], verbs: [get, list, watch, create, patch, delete]},
   {apiGroups: [""], resources: [persistentvolumeclaims], verbs: [get, list, watch, update]},
   {apiGroups: [storage.k8s.io], resources: [storageclasses, csinodes, volumeattributesclasses], verbs: [get, list, watch]},
   {apiGroups: [""], resources: [nodes], verbs: [get, list, watch]},
   {apiGroups: [storage.k8s.io], resources: [volumeattachments], verbs: [get, list, watch, patch]},
   {apiGroups: [storage.k8s.io], resources: [volumeattachments/status], verbs: [patch]}'
bound proxmox-csi-plugin-node csi-proxmox proxmox-csi-plugin-node '{apiGroups: [""], resources: [nodes], verbs: [get]}'
kubectl apply -f - <<'YAML'
apiVersion: apps/v1
kind: Deployment
metadata: {name: proxmox-csi-plugin-controller, namespace: csi-proxmox}
spec:
  replicas: 1
  selector: {matchLabels: {app.kubernetes.io/name: proxmox-csi-plugin-controller}}
  template:
    metadata: {labels: {app.kubernetes.io/name: proxmox-csi-plugin-controller, app.kubernetes.io/component: controller}}
    spec:
      serviceAccountName: proxmox-csi-plugin-controller
      automountServiceAccountToken: false
      containers:
      - {name: proxmox-csi-plugin-controller, image: "example.invalid/proxmox-csi-controller:v0.11.0", args: ["--csi-address=unix:///csi/csi.sock", --cloud-config=/etc/proxmox/config.yaml]}
      - {name: csi-attacher, image: "example.invalid/csi-attacher:v4.8.1", args: ["--csi-address=unix:///csi/csi.sock", --timeout=3m, --leader-election, --default-fstype=ext4]}
      - {name: csi-provisioner, image: "example.invalid/csi-provisioner:v5.2.0", args: ["--csi-address=unix:///csi/csi.sock", --timeout=3m, --leader-election]}
---
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: proxmox-csi-plugin-node, namespace: csi-proxmox}
spec:
  selector: {matchLabels: {app.kubernetes.io/name: proxmox-csi-plugin-node}}
  template:
    metadata: {labels: {app.kubernetes.io/name: proxmox-csi-plugin-node}}
    spec:
      serviceAccountName: proxmox-csi-plugin-node
      automountServiceAccountToken: false
      containers:
      - {name: proxmox-csi-plugin-node, image: "example.invalid/proxmox-csi-node:v0.11.0"}
      - {name: csi-node-driver-registrar, image: "example.invalid/csi-node-driver-registrar:v2.13.0"}
---
apiVersion: storage.k8s.io/v1
kind: CSIDriver
metadata: {name: csi.proxmox.sinextra.dev}
spec: {attachRequired: true, podInfoOnMount: true}
---
apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: {name: proxmox-data}
provisioner: csi.proxmox.sinextra.dev
volumeBindingMode: WaitForFirstConsumer
YAML
pods_on worker-2 csi-proxmox proxmox-csi-plugin-controller
pods_running_since 5760 csi-proxmox proxmox-csi-plugin-controller proxmox-csi-plugin-controller csi-attacher csi-provisioner
agents_ready csi-proxmox proxmox-csi-plugin-node 2
pods_running_since 5760 csi-proxmox proxmox-csi-plugin-node proxmox-csi-plugin-node csi-node-driver-registrar
leading csi-proxmox external-attacher-leader-csi-proxmox-sinextra-dev "$(pods_of csi-proxmox proxmox-csi-plugin-controller)"
bound proxmox-cloud-controller-manager kube-system proxmox-cloud-controller-manager '{apiGroups: [""], resources: [nodes, nodes/status], verbs: [get, list, watch, update, patch]}'
deployment kube-system proxmox-cloud-controller-manager 1
pods_on worker-2 kube-system proxmox-cloud-controller-manager
pods_running_since 5760 kube-system proxmox-cloud-controller-manager manager
for name in worker worker-2; do
  kubectl apply -f - <<YAML
apiVersion: storage.k8s.io/v1
kind: CSINode
metadata: {name: $name}
spec: {drivers: [{name: csi.proxmox.sinextra.dev, nodeID: $name, topologyKeys: [topology.kubernetes.io/region, topology.kubernetes.io/zone]}]}
YAML
done
kubectl create namespace db
# volume NAME CLAIM NODE ATTACHMENT creates a bound volume that is attached to this node.
volume() {
  kubectl apply -f - <<YAML
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: $2, namespace: db, annotations: {volume.kubernetes.io/storage-provisioner: csi.proxmox.sinextra.dev}}
spec: {storageClassName: proxmox-data, volumeName: $1, accessModes: [ReadWriteOnce], resources: {requests: {storage: 10Gi}}}
YAML
  kubectl apply --server-side --field-manager=csi-provisioner -f - <<YAML
apiVersion: v1
kind: PersistentVolume
metadata:
  name: $1
  annotations: {pv.kubernetes.io/provisioned-by: csi.proxmox.sinextra.dev}
spec:
  capacity: {storage: 10Gi}
  accessModes: [ReadWriteOnce]
  persistentVolumeReclaimPolicy: Delete
  storageClassName: proxmox-data
  csi: {driver: csi.proxmox.sinextra.dev, volumeHandle: cluster-1/pve-1/local-lvm/vm-9999-$1, volumeAttributes: {storage: local-lvm}}
  claimRef: {apiVersion: v1, kind: PersistentVolumeClaim, namespace: db, name: $2, uid: $(kubectl -n db get pvc "$2" -o jsonpath='{.metadata.uid}')}
YAML
  kubectl create --field-manager=kube-controller-manager -f - <<YAML
apiVersion: storage.k8s.io/v1
kind: VolumeAttachment
metadata: {name: $4}
spec: {attacher: csi.proxmox.sinextra.dev, nodeName: $3, source: {persistentVolumeName: $1}}
YAML
  kubectl patch volumeattachment "$4" --type=merge --field-manager=csi-attacher \
    -p "metadata: {annotations: {csi.alpha.kubernetes.io/node-id: $3}, finalizers: [external-attacher/csi-proxmox-sinextra-dev]}"
  kubectl patch pv "$1" --type=merge --field-manager=csi-attacher \
    -p "metadata: {finalizers: [kubernetes.io/pv-protection, external-attacher/csi-proxmox-sinextra-dev]}"
  kubectl patch volumeattachment "$4" --subresource=status --type=merge --field-manager=csi-attacher -p "status: {attached: true}"
}
old=csi-b4a7b76ad8da661fc991ab61e1158e50719d21d8256610818ebe6008b7dce840
volume pvc-485be8d2-002b-479b-8400-78fd99f8ce30 data-postgres-0 worker $old
volume pvc-5e1d7c2a-7a0b-4b57-9d3e-2d6f2f0a9c11 data-postgres-1 worker-2 csi-0f6f2b8f1c3d4e5a9b7c8d6e5f4a3b2c1d0e9f8a7b6c5d4e3f2a1b0c9d8e7f60
claimed() { is Bound '{.status.phase}' pvc "$1" -n db; }
wait_for 60 "the claim is bound" claimed data-postgres-0
kubectl delete volumeattachment $old --wait=false
kubectl patch volumeattachment $old --subresource=status --type=merge --field-manager=csi-attacher -p "status: {attached: true,
  detachError: {time: \"$(now)\", message: 'rpc error: code = DeadlineExceeded desc = context deadline exceeded'}}"
# The recreated pod waits for its volume, on the node that is back.
kubectl apply -f - <<'YAML'
apiVersion: v1
kind: Pod
metadata: {name: postgres-0, namespace: db}
spec:
  nodeName: worker
  automountServiceAccountToken: false
  containers: [{name: c, image: example.invalid/postgres, volumeMounts: [{name: data, mountPath: /data}]}]
  volumes: [{name: data, persistentVolumeClaim: {claimName: data-postgres-0}}]
YAML
event db pod postgres-0 FailedAttachVolume \
  'AttachVolume.Attach failed for volume \"pvc-485be8d2-002b-479b-8400-78fd99f8ce30\" : volume attachment is being deleted' attachdetach-controller
late
aged 300 /registry/volumeattachments/$old volumeattachment $old
kubectl patch volumeattachment $old --subresource=status --type=merge --field-manager=csi-attacher -p "status: {detachError: {time: \"$(date -u -d '-3 minutes' +%FT%TZ)\"}}"
