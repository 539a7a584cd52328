# Longhorn cannot delete a backup in its store. Only the log of its manager says so (logfmt with the
# error last).
crd backups longhorn.io Backup Namespaced v1beta2
served_by worker
agents longhorn-system longhorn-manager backups.longhorn.io
agents_ready longhorn-system longhorn-manager 1
pods_running_since 600 longhorn-system longhorn-manager agent
hung 60 longhorn-system Backup.v1beta2.longhorn.io backups backup-1f3a9c7e0b longhorn.io longhorn-manager '{snapshotName: nightly}'
logged longhorn-system "$(pods_of longhorn-system longhorn-manager)" agent backup-1f3a9c7e0c <<'LOG'
time="@iso" level=error msg="Failed to sync Longhorn backup longhorn-system/backup-1f3a9c7e0b" func=controller.handleReconcileErrorLogging file="utils.go:79" Backup=longhorn-system/backup-1f3a9c7e0b controller=longhorn-backup error="failed to sync backup longhorn-system/backup-1f3a9c7e0b: failed to delete remote backup: failed to execute: /var/lib/longhorn/engine-binaries/longhorn [backup rm], output cannot delete s3://backups@eu-central-1/: AccessDenied: User is not allowed to perform s3:DeleteObject\n, stderr time=\"x\" level=error: exit status 1" node=worker
LOG
