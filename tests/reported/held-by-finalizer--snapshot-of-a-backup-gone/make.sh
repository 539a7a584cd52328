# A volume was deleted with its snapshots, and then a backup of it. The backup is gone in the store,
# but then the manager tries to clean up the snapshot, does not find it, and returns without an
# error. Backups of another volume are healthy.
node worker Ready
settled worker
for kind in Backup BackupVolume BackupTarget Snapshot Volume Engine Replica Setting; do
  plural=${kind,,}s
  crd $plural longhorn.io $kind Namespaced v1beta2
  old_kind $plural.longhorn.io
done
service_account longhorn-system longhorn-service-account
kubectl apply -f - <<'YAML'
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: longhorn-role}
rules:
- {apiGroups: [longhorn.io], resources: ["*"], verbs: ["*"]}
- {apiGroups: [""], resources: [pods, events, persistentvolumes, persistentvolumeclaims, nodes, secrets, services, configmaps], verbs: ["*"]}
- {apiGroups: [apps], resources: [daemonsets, statefulsets, deployments], verbs: ["*"]}
- {apiGroups: [storage.k8s.io], resources: [storageclasses, volumeattachments, csinodes, csidrivers], verbs: ["*"]}
- {apiGroups: [snapshot.storage.k8s.io], resources: [volumesnapshots, volumesnapshotcontents, volumesnapshotclasses, volumesnapshotcontents/status], verbs: ["*"]}
YAML
kubectl create clusterrolebinding longhorn-bind --clusterrole=longhorn-role --serviceaccount=longhorn-system:longhorn-service-account
kubectl apply -f - <<'YAML'
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: longhorn-manager, namespace: longhorn-system, labels: {app: longhorn-manager, app.kubernetes.io/name: longhorn}}
spec:
  selector: {matchLabels: {app: longhorn-manager}}
  template:
    metadata: {labels: {app: longhorn-manager, app.kubernetes.io/name: longhorn-manager}}
    spec:
      serviceAccountName: longhorn-service-account
      automountServiceAccountToken: false
      containers:
      - {name: longhorn-manager, image: "example.invalid/longhorn-manager:v1.7.0-rc4", args: [daemon]}
      - {name: pre-pull-share-manager-image, image: "example.invalid/longhorn-share-manager:v1.7.0-rc4"}
YAML
sleep 3
pods_running_since 14400 longhorn-system longhorn-manager
# run NAME CONTAINER creates another workload of the product with the same account.
run() {
  kubectl apply -f - <<YAML
apiVersion: apps/v1
kind: Deployment
metadata: {name: $1, namespace: longhorn-system}
spec:
  replicas: 1
  selector: {matchLabels: {app.kubernetes.io/name: $1}}
  template:
    metadata: {labels: {app.kubernetes.io/name: $1}}
    spec: {serviceAccountName: longhorn-service-account, automountServiceAccountToken: false, containers: [{name: $2, image: "example.invalid/$2"}]}
YAML
  pods_on worker longhorn-system "$1"
  pods_running_since 14400 longhorn-system "$1"
}
run csi-snapshotter csi-snapshotter
run csi-provisioner csi-provisioner
run longhorn-driver-deployer longhorn-driver-deployer
works 14400 velero velero backups.velero.io
# held KIND NAME SPEC STATUS [LABELS] creates an object with the manager's finalizer.
held() {
  kubectl -n longhorn-system create --field-manager=longhorn-manager -f - <<YAML
apiVersion: longhorn.io/v1beta2
kind: $1
metadata: {name: $2, finalizers: [longhorn.io], labels: {${5:-}}}
spec: $3
status: $4
YAML
}
kubectl -n longhorn-system create --field-manager=longhorn-manager -f - <<'YAML'
apiVersion: longhorn.io/v1beta2
kind: Setting
metadata: {name: auto-cleanup-when-delete-backup}
value: "true"
---
apiVersion: longhorn.io/v1beta2
kind: Setting
metadata: {name: backup-target}
value: nfs://backup.example.com:/opt/backupstore
---
apiVersion: longhorn.io/v1beta2
kind: Setting
metadata: {name: default-engine-image}
value: longhornio/longhorn-engine:v1.7.0-rc4
YAML
target=nfs://backup.example.com:/opt/backupstore
held BackupTarget default "{backupTargetURL: '$target', pollInterval: 5m0s}" '{available: true, ownerID: worker, conditions: [{type: Unavailable, status: "False", reason: "", message: ""}]}'
# volume NAME SNAPSHOT creates a volume with one snapshot.
volume() {
  held Volume "$1" '{size: "10737418240", numberOfReplicas: 3, frontend: blockdev}' "{state: attached, robustness: healthy, ownerID: worker, currentNodeID: worker, lastBackup: backup-${2#*-}}"
  held Snapshot "$2" "{volume: $1, createSnapshot: true, labels: {type: bak}}" '{readyToUse: true, creationTime: "2024-08-18T02:11:09Z", parent: "", size: 104857600}' "longhornvolume: $1"
}
# backup NAME VOLUME SNAPSHOT creates a backup of a snapshot.
backup() {
  held BackupVolume "$2" '{}' "{ownerID: worker, backendStoreDriver: longhorn, lastBackupName: $1, size: '10737418240', storageClassName: longhorn}"
  held Backup "$1" "{snapshotName: $3, labels: {longhorn.io/volume-access-mode: rwo}, syncRequestedAt: null, backupMode: ''}" \
    "{ownerID: worker, state: Completed, progress: 100, snapshotName: $3, snapshotCreatedAt: '2024-08-18T02:11:09Z', volumeName: $2, volumeSize: '10737418240',
      url: '$target?backup=$1&volume=$2', size: '104857600', messages: {}, compressionMethod: lz4}" "backup-volume: $2"
}
volume pvc-2f5d8c6e-7a41-4ef7-8d0f-31d7c9c2f0aa snapshot-1f0d3a55-6f64-4b7d-8f0c-6a1ad5f4e001
volume pvc-9c1ed502-4fda-48c9-ac43-bc32c61f2cf2 snapshot-77c6d1b2-0a54-4f9c-9d11-2b5a7fb3e002
backup backup-5c0a9e1f7b3d4268 pvc-2f5d8c6e-7a41-4ef7-8d0f-31d7c9c2f0aa snapshot-1f0d3a55-6f64-4b7d-8f0c-6a1ad5f4e001
backup backup-e2b74f90d1c84a35 pvc-9c1ed502-4fda-48c9-ac43-bc32c61f2cf2 snapshot-77c6d1b2-0a54-4f9c-9d11-2b5a7fb3e002
# Delete the volume and its snapshot.
for name in volume/pvc-2f5d8c6e-7a41-4ef7-8d0f-31d7c9c2f0aa snapshot/snapshot-1f0d3a55-6f64-4b7d-8f0c-6a1ad5f4e001; do
  kubectl -n longhorn-system patch "${name%/*}s.longhorn.io" "${name#*/}" --type=merge --field-manager=longhorn-manager -p 'metadata: {finalizers: null}'
  command kubectl -n longhorn-system delete "${name%/*}s.longhorn.io" "${name#*/}"
done
kubectl -n longhorn-system delete backups.longhorn.io backup-5c0a9e1f7b3d4268 --wait=false
late
aged 200 /registry/longhorn.io/backups/longhorn-system/backup-5c0a9e1f7b3d4268 backups.longhorn.io backup-5c0a9e1f7b3d4268 -n longhorn-system
