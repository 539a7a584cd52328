# A workload was moved to another cluster, and its volume group is deleted here: group ->
# replication -> the controller of both. The controller runs, but updates an outdated copy of the
# group and is refused, which only its log says. The claim waits too, with a finalizer of the
# product that moves workloads, which removes it when the group is gone.
kubelet
node_with_kubelet worker
settled worker
crd volumereplications replication.storage.openshift.io VolumeReplication Namespaced v1alpha1
crd volumegroupreplications replication.storage.openshift.io VolumeGroupReplication Namespaced v1alpha1
crd volumegroupreplicationcontents replication.storage.openshift.io VolumeGroupReplicationContent Cluster v1alpha1
crd volumereplicationclasses replication.storage.openshift.io VolumeReplicationClass Cluster v1alpha1
crd volumegroupreplicationclasses replication.storage.openshift.io VolumeGroupReplicationClass Cluster v1alpha1
crd csiaddonsnodes csiaddons.openshift.io CSIAddonsNode Namespaced v1alpha1
crd volumereplicationgroups ramendr.openshift.io VolumeReplicationGroup Namespaced v1alpha1
crd virtualmachines kubevirt.io VirtualMachine Namespaced v1
for name in volumereplications.replication.storage.openshift.io volumegroupreplications.replication.storage.openshift.io \
  volumegroupreplicationcontents.replication.storage.openshift.io volumereplicationgroups.ramendr.openshift.io; do
  kubectl patch crd $name --type=json -p '[{"op": "add", "path": "/spec/versions/0/subresources", "value": {"status": {}}}]'
  old_kind $name
done
for name in volumereplicationclasses volumegroupreplicationclasses; do old_kind $name.replication.storage.openshift.io; done
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
# run NAMESPACE NAME ACCOUNT CONTAINER... creates a Deployment with these containers.
run() {
  local namespace=$1 name=$2 account=$3 container containers=
  shift 3
  for container in "$@"; do containers+="{name: $container, image: 'example.invalid/$container:v4.20.3'},"; done
  kubectl apply -f - <<YAML
apiVersion: apps/v1
kind: Deployment
metadata: {name: $name, namespace: $namespace}
spec:
  replicas: 1
  selector: {matchLabels: {app.kubernetes.io/name: $name}}
  template:
    metadata: {labels: {app.kubernetes.io/name: $name}}
    spec: {serviceAccountName: $account, automountServiceAccountToken: false, containers: [${containers%,}]}
YAML
  pods_on worker "$namespace" "$name"
  pods_running_since 7200 "$namespace" "$name" "$@"
}
bound csi-addons-manager-role openshift-storage csi-addons-controller-manager \
  '{apiGroups: [""], resources: [persistentvolumeclaims], verbs: [get, list, patch, update, watch]},
   {apiGroups: [""], resources: [persistentvolumes], verbs: [get, list, watch]},
   {apiGroups: [csiaddons.openshift.io], resources: ["*"], verbs: [create, delete, get, list, patch, update, watch]},
   {apiGroups: [replication.storage.openshift.io], resources: [volumegroupreplicationclasses, volumereplicationclasses], verbs: [get, list, watch]},
   {apiGroups: [replication.storage.openshift.io], resources: [volumegroupreplicationcontents, volumegroupreplications], verbs: [create, delete, get, list, patch, update, watch]},
   {apiGroups: [replication.storage.openshift.io], resources: [volumereplications], verbs: [create, delete, get, list, update, watch]},
   {apiGroups: [replication.storage.openshift.io], resources: [volumegroupreplicationcontents/finalizers, volumegroupreplications/finalizers, volumereplications/finalizers], verbs: [update]},
   {apiGroups: [replication.storage.openshift.io], resources: [volumegroupreplicationcontents/status, volumegroupreplications/status, volumereplications/status], verbs: [get, patch, update]}'
run openshift-storage csi-addons-controller-manager csi-addons-controller-manager manager
leading openshift-storage e8cd140a.openshift.io "$(pods_of openshift-storage csi-addons-controller-manager)_6e2b"
bound ramen-dr-cluster-operator openshift-dr-system ramen-dr-cluster-operator \
  '{apiGroups: [ramendr.openshift.io], resources: [volumereplicationgroups, volumereplicationgroups/status, volumereplicationgroups/finalizers], verbs: ["*"]},
   {apiGroups: [replication.storage.openshift.io], resources: [volumereplications, volumegroupreplications, volumegroupreplicationcontents], verbs: [create, delete, get, list, patch, update, watch]},
   {apiGroups: [replication.storage.openshift.io], resources: [volumereplicationclasses, volumegroupreplicationclasses], verbs: [get, list, watch]},
   {apiGroups: [""], resources: [persistentvolumeclaims, persistentvolumes], verbs: [get, list, patch, update, watch]}'
run openshift-dr-system ramen-dr-cluster-operator ramen-dr-cluster-operator manager
leading openshift-dr-system dr-cluster.ramendr.openshift.io "$(pods_of openshift-dr-system ramen-dr-cluster-operator)_09d4"
bound rbd-ctrlplugin openshift-storage ceph-csi-rbd-ctrlplugin \
  '{apiGroups: [""], resources: [persistentvolumes, persistentvolumeclaims], verbs: [get, list, watch, create, patch, update, delete]},
   {apiGroups: [replication.storage.openshift.io], resources: [volumegroupreplicationcontents, volumegroupreplicationclasses], verbs: [get, list, watch]}'
run openshift-storage openshift-storage.rbd.csi.ceph.com-ctrlplugin ceph-csi-rbd-ctrlplugin csi-rbdplugin csi-provisioner csi-addons
kubectl apply -f - <<'YAML'
apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: {name: ocs-storagecluster-ceph-rbd-virtualization}
provisioner: openshift-storage.rbd.csi.ceph.com
---
apiVersion: replication.storage.openshift.io/v1alpha1
kind: VolumeReplicationClass
metadata: {name: rbd-volumereplicationclass-1625360775, labels: {ramendr.openshift.io/replicationid: 5f1c}}
spec: {provisioner: openshift-storage.rbd.csi.ceph.com, parameters: {mirroringMode: snapshot, schedulingInterval: 5m}}
---
apiVersion: replication.storage.openshift.io/v1alpha1
kind: VolumeGroupReplicationClass
metadata: {name: rbd-volumegroupreplicationclass-1625360775, labels: {ramendr.openshift.io/replicationid: 5f1c}}
spec: {provisioner: openshift-storage.rbd.csi.ceph.com, parameters: {pool: ocs-storagecluster-cephblockpool}}
YAML
kubectl create namespace openshift-dr-ops
# protected NAMESPACE GROUP REPLICATION CONTENT VRG CLAIM STATE creates a workload with its volume
# group.
protected() {
  local state=Primary demoted="reason: Promoted, message: volume group is promoted to primary and replicating to secondary" degraded="status: 'False', reason: Healthy, message: volume group is healthy"
  if [ "$7" = secondary ]; then
    state=Secondary demoted="reason: Demoted, message: volume group is demoted to secondary" degraded="status: 'True', reason: VolumeDegraded, message: volume group is degraded"
  fi
  kubectl create namespace "$1"
  kubectl -n openshift-dr-ops create --field-manager=work -f - <<YAML
apiVersion: ramendr.openshift.io/v1alpha1
kind: VolumeReplicationGroup
metadata:
  name: $5
  annotations: {drplacementcontrol.ramendr.openshift.io/destination-cluster: pruthvi-d16s, drplacementcontrol.ramendr.openshift.io/do-not-delete-pvc: ""}
  labels: {ramendr.openshift.io/created-by-ramen: "true"}
spec: {action: Relocate, replicationState: $7, protectedNamespaces: [$1], pvcSelector: {matchLabels: {app: $1}}, async: {schedulingInterval: 5m}, s3Profiles: [s3profile-a, s3profile-b]}
YAML
  finalizer openshift-dr-ops volumereplicationgroups.ramendr.openshift.io "$5" volumereplicationgroups.ramendr.openshift.io/vrg-protection manager
  kubectl -n "$1" apply -f - <<YAML
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: $6, labels: {app: $1, ramendr.openshift.io/consistency-group: $2}}
spec: {storageClassName: ocs-storagecluster-ceph-rbd-virtualization, volumeName: pvc-$1, accessModes: [ReadWriteMany], volumeMode: Block, resources: {requests: {storage: 30Gi}}}
YAML
  kubectl apply --server-side --field-manager=csi-provisioner -f - <<YAML
apiVersion: v1
kind: PersistentVolume
metadata: {name: pvc-$1, annotations: {pv.kubernetes.io/provisioned-by: openshift-storage.rbd.csi.ceph.com}}
spec:
  capacity: {storage: 30Gi}
  accessModes: [ReadWriteMany]
  volumeMode: Block
  persistentVolumeReclaimPolicy: Retain
  storageClassName: ocs-storagecluster-ceph-rbd-virtualization
  csi: {driver: openshift-storage.rbd.csi.ceph.com, volumeHandle: 0001-0011-openshift-storage-0000000000000001-$1}
  claimRef: {apiVersion: v1, kind: PersistentVolumeClaim, namespace: $1, name: $6, uid: $(kubectl -n "$1" get pvc "$6" -o jsonpath='{.metadata.uid}')}
YAML
  kubectl -n "$1" create --field-manager=manager -f - <<YAML
apiVersion: replication.storage.openshift.io/v1alpha1
kind: VolumeGroupReplication
metadata: {name: $2, labels: {ramendr.openshift.io/owner-name: $5, ramendr.openshift.io/owner-namespace-name: openshift-dr-ops}}
spec:
  replicationState: $7
  volumeReplicationClassName: rbd-volumereplicationclass-1625360775
  volumeGroupReplicationClassName: rbd-volumegroupreplicationclass-1625360775
  source: {selector: {matchLabels: {ramendr.openshift.io/consistency-group: $2}}}
YAML
  kubectl -n "$1" patch volumegroupreplications "$2" --type=merge --field-manager=csi-addons-manager -p "
metadata:
  finalizers: [replication.storage.openshift.io/vgr-protection]
  annotations: {replication.storage.openshift.io/volume-replication-name: $3, replication.storage.openshift.io/volume-group-replication-content-name: $4}
spec: {volumeReplicationName: $3, volumeGroupReplicationContentName: $4}"
  kubectl create --field-manager=csi-addons-manager -f - <<YAML
apiVersion: replication.storage.openshift.io/v1alpha1
kind: VolumeGroupReplicationContent
metadata: {name: $4, finalizers: [replication.storage.openshift.io/vgr-protection, replication.storage.openshift.io]}
spec:
  provisioner: openshift-storage.rbd.csi.ceph.com
  volumeGroupReplicationClassName: rbd-volumegroupreplicationclass-1625360775
  volumeGroupReplicationHandle: 0001-0011-openshift-storage-0000000000000001-group-$1
  volumeGroupReplicationRef: {apiVersion: replication.storage.openshift.io/v1alpha1, kind: VolumeGroupReplication, namespace: $1, name: $2, uid: $(kubectl -n "$1" get volumegroupreplications "$2" -o jsonpath='{.metadata.uid}')}
  source: {volumeHandles: [0001-0011-openshift-storage-0000000000000001-$1]}
YAML
  kubectl -n "$1" create --field-manager=csi-addons-manager -f - <<YAML
apiVersion: replication.storage.openshift.io/v1alpha1
kind: VolumeReplication
metadata:
  name: $3
  finalizers: [replication.storage.openshift.io]
  ownerReferences: [{apiVersion: replication.storage.openshift.io/v1alpha1, kind: VolumeGroupReplication, name: $2, controller: true, blockOwnerDeletion: true, uid: $(kubectl -n "$1" get volumegroupreplications "$2" -o jsonpath='{.metadata.uid}')}]
spec:
  replicationState: $7
  volumeReplicationClass: rbd-volumereplicationclass-1625360775
  dataSource: {apiGroup: replication.storage.openshift.io, kind: VolumeGroupReplication, name: $2}
YAML
  kubectl -n "$1" patch pvc "$6" --type=merge --field-manager=csi-addons-manager -p "metadata: {annotations: {replication.storage.openshift.io/volume-group-replication-name: $2}}"
  kubectl -n "$1" patch pvc "$6" --type=json --field-manager=csi-addons-manager -p '[{"op": "add", "path": "/metadata/finalizers/-", "value": "replication.storage.openshift.io/vgr-protection"}]'
  kubectl -n "$1" patch pvc "$6" --type=json --field-manager=manager -p '[{"op": "add", "path": "/metadata/finalizers/-", "value": "volumereplicationgroups.ramendr.openshift.io/pvc-vr-protection"}]'
  local status="{state: $state, message: ${demoted#*message: }, observedGeneration: 2, lastCompletionTime: \"$(now)\", conditions: [
    {type: Completed, status: 'True', $demoted, observedGeneration: 2, lastTransitionTime: \"$(now)\"},
    {type: Degraded, $degraded, observedGeneration: 2, lastTransitionTime: \"$(now)\"},
    {type: Resyncing, status: 'False', reason: NotResyncing, message: volume group is not resyncing, observedGeneration: 2, lastTransitionTime: \"$(now)\"},
    {type: Validated, status: 'True', reason: PrerequisiteMet, message: volume group is validated and met all prerequisites, observedGeneration: 2, lastTransitionTime: \"$(now)\"}]}"
  kubectl -n "$1" patch volumereplications "$3" --subresource=status --type=merge --field-manager=csi-addons-manager -p "status: $status"
  kubectl -n "$1" patch volumegroupreplications "$2" --subresource=status --type=merge --field-manager=csi-addons-manager -p "status: $status"
  kubectl -n "$1" patch volumegroupreplications "$2" --subresource=status --type=merge --field-manager=csi-addons-manager -p "status: {persistentVolumeClaimsRefList: [{name: $6}]}"
}
group=vgr-f4bbba04b7f57483a4e05b06cd30bddd-test-vm-instance-drpc vr=vr-bc4ef987-d733-455e-8652-d3493e23fb38
protected test-vm $group $vr vgrcontent-bc4ef987-d733-455e-8652-d3493e23fb38 test-vm-instance-drpc test-vm-disk secondary
protected other-vm vgr-0a1b2c3d4e5f60718293a4b5c6d7e8f9-other-vm-drpc vr-1d2c3b4a-1111-4222-8333-94857a6b5c4d \
  vgrcontent-1d2c3b4a-1111-4222-8333-94857a6b5c4d other-vm-drpc other-vm-disk primary
says openshift-dr-ops volumereplicationgroups.ramendr.openshift.io test-vm-instance-drpc manager '{}'
kubectl -n openshift-dr-ops patch volumereplicationgroups.ramendr.openshift.io test-vm-instance-drpc --subresource=status --type=merge --field-manager=manager -p "status: {state: Secondary, conditions: [
  {type: DataReady, status: 'False', reason: Progressing, message: 'VolumeReplicationGroup is progressing', lastTransitionTime: \"$(now)\"},
  {type: ClusterDataReady, status: 'True', reason: Unused, message: Cluster data restore not used, lastTransitionTime: \"$(now)\"}]}"
kubectl -n test-vm delete pvc test-vm-disk --wait=false
kubectl -n test-vm delete volumegroupreplications $group --wait=false
kubectl -n test-vm delete volumereplications $vr --wait=false
kubectl delete volumegroupreplicationcontents vgrcontent-bc4ef987-d733-455e-8652-d3493e23fb38 --wait=false
late
base=/registry/replication.storage.openshift.io
aged 1290 $base/volumegroupreplications/test-vm/$group volumegroupreplications $group -n test-vm
aged 1290 $base/volumereplications/test-vm/$vr volumereplications $vr -n test-vm
aged 1290 $base/volumegroupreplicationcontents/vgrcontent-bc4ef987-d733-455e-8652-d3493e23fb38 volumegroupreplicationcontents vgrcontent-bc4ef987-d733-455e-8652-d3493e23fb38
aged 1320 /registry/persistentvolumeclaims/test-vm/test-vm-disk pvc test-vm-disk -n test-vm
pod=$(pods_of openshift-storage csi-addons-controller-manager)
for n in 1 2 3; do
  log openshift-storage "$pod" manager "{\"level\": \"error\", \"msg\": \"Reconciler error\", \"controller\": \"volumereplication\", \"controllerGroup\": \"replication.storage.openshift.io\", \"controllerKind\": \"VolumeReplication\", \"VolumeReplication\": {\"name\":\"$vr\",\"namespace\":\"test-vm\"}, \"namespace\": \"test-vm\", \"name\": \"$vr\", \"error\": \"failed to update VGR \\\"$group\\\" annotation for VolumeReplication: Operation cannot be fulfilled on volumegroupreplications.replication.storage.openshift.io \\\"$group\\\": the object has been modified; please apply your changes to the latest version and try again\"}"
done
log openshift-dr-system "$(pods_of openshift-dr-system ramen-dr-cluster-operator)" manager "INFO vrginstance controller/vrg_volgrouprep.go:686 Requeuing due to processing a deleted VGR {\"VolumeReplicationGroup\": {\"name\":\"test-vm-instance-drpc\",\"namespace\":\"openshift-dr-ops\"}, \"State\": \"secondary\", \"vgr\": \"test-vm/$group\"}"
