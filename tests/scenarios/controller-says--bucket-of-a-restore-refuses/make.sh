# Velero cannot delete the results of a restore from its bucket. Only its log says so (logfmt with the
# error before the place).
crd restores velero.io Restore
logging velero velero restores.velero.io
hung 60 velero Restore.v1.velero.io restores nightly restores.velero.io/external-resources-finalizer velero-server '{backupName: nightly}'
logged velero "$(pods_of velero velero)" manager nightly <<'LOG'
time="@iso" level=error msg="Error deleting restore results" controller=restore error="rpc error: code = Unknown desc = error deleting objects in the bucket: SignatureDoesNotMatch: The request signature we calculated does not match the signature you provided" logSource="pkg/controller/restore_controller.go:268" restore=velero/nightly
LOG
