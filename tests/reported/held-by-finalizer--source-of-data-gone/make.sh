# A claim was being filled from a backup. The backup was deleted, then the claim. The controller
# looks up the backup before it checks whether the claim is being deleted, and does not report that
# the backup is missing.
node worker Ready
settled worker
crd backups dataprotection.kubeblocks.io Backup Namespaced v1alpha1
crd restores dataprotection.kubeblocks.io Restore Namespaced v1alpha1
crd clusters apps.kubeblocks.io Cluster
replicas=1
[ -z "${TWIN:-}" ] || replicas=0
operator kb-system kubeblocks-dataprotection $replicas backups.dataprotection.kubeblocks.io restores.dataprotection.kubeblocks.io persistentvolumeclaims.
if [ -z "${TWIN:-}" ]; then
  pods_on worker kb-system kubeblocks-dataprotection
  pods_running_since 600 kb-system kubeblocks-dataprotection
  leading kb-system abd03fda.kubeblocks.io kubeblocks-dataprotection-6b7f_1
fi
works 600 kb-system kubeblocks clusters.apps.kubeblocks.io persistentvolumeclaims.
leading kb-system 001c317f.kubeblocks.io kubeblocks-5d9c_1
works 600 csi-hostpath csi-hostpath-controller persistentvolumeclaims. persistentvolumes.
kubectl apply -f - <<'YAML'
apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: {name: csi-hostpath-sc}
provisioner: hostpath.csi.k8s.io
YAML
kubectl create namespace restore
object restore Backup.v1alpha1.dataprotection.kubeblocks.io mysql-backup '{backupMethod: xtrabackup, backupPolicyName: mysql, deletionPolicy: Delete}'
object restore Backup.v1alpha1.dataprotection.kubeblocks.io mysql-backup-2 '{backupMethod: xtrabackup, backupPolicyName: mysql, deletionPolicy: Delete}'
for name in mysql-backup mysql-backup-2; do
  says restore backups "$name" dataprotection '{phase: Completed, totalSize: 3Gi}'
done
# filled CLAIM BACKUP creates a claim that is being filled, with its helper claim and its Job.
filled() {
  kubectl -n restore apply --field-manager=kubeblocks -f - <<YAML
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: $1, labels: {app.kubernetes.io/instance: mysql, app.kubernetes.io/managed-by: kubeblocks}}
spec:
  storageClassName: csi-hostpath-sc
  accessModes: [ReadWriteOnce]
  resources: {requests: {storage: 20Gi}}
  dataSourceRef: {apiGroup: dataprotection.kubeblocks.io, kind: Backup, name: $2}
YAML
  kubectl -n restore patch pvc "$1" --type=json --field-manager=dataprotection \
    -p '[{"op": "add", "path": "/metadata/finalizers/-", "value": "dataprotection.kubeblocks.io/finalizer"}]'
  kubectl -n restore patch pvc "$1" --subresource=status --type=merge --field-manager=dataprotection -p "status: {conditions: [{type: Populating, status: 'True',
    reason: Processing, message: Populator started, lastTransitionTime: \"$(now)\"}]}"
  local uid
  uid=$(kubectl -n restore get pvc "$1" -o jsonpath='{.metadata.uid}')
  kubectl -n restore apply --field-manager=dataprotection -f - <<YAML
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: kb-populate-$uid}
spec: {storageClassName: csi-hostpath-sc, accessModes: [ReadWriteOnce], resources: {requests: {storage: 20Gi}}}
---
apiVersion: batch/v1
kind: Job
metadata:
  name: restore-preparedata-${uid:0:8}
  labels: {app.kubernetes.io/managed-by: kubeblocks-dataprotection, dataprotection.kubeblocks.io/populate-pvc: kb-populate-$uid}
  ownerReferences: [{apiVersion: v1, kind: PersistentVolumeClaim, name: $1, uid: $uid, controller: true, blockOwnerDeletion: true}]
spec:
  template:
    spec:
      restartPolicy: Never
      automountServiceAccountToken: false
      containers: [{name: restore, image: example.invalid/xtrabackup, volumeMounts: [{name: data, mountPath: /data}]}]
      volumes: [{name: data, persistentVolumeClaim: {claimName: kb-populate-$uid}}]
YAML
  kubectl -n restore create -f - <<YAML
apiVersion: v1
kind: Event
metadata: {generateName: "$1."}
involvedObject: {apiVersion: v1, kind: PersistentVolumeClaim, namespace: restore, name: $1, uid: $uid}
type: Normal
reason: StartToVolumePopulate
message: Populator started
source: {component: volume-populator-controller}
count: 1
firstTimestamp: "$(date -u -d '-70 minutes' +%FT%TZ)"
lastTimestamp: "$(date -u -d '-70 minutes' +%FT%TZ)"
YAML
}
filled data-mysql-0 mysql-backup
filled data-mysql-1 mysql-backup-2
[ -n "${TWIN:-}" ] || kubectl -n restore delete backup mysql-backup
kubectl -n restore delete pvc data-mysql-0 --wait=false
only_ours() { is '["dataprotection.kubeblocks.io/finalizer"]' '{.metadata.finalizers}' pvc data-mysql-0 -n restore; }
wait_for 60 "nothing uses the claim" only_ours
late
aged 60 /registry/persistentvolumeclaims/restore/data-mysql-0 pvc data-mysql-0 -n restore
