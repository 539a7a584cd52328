# An operator cleans up by a Job beside the object: nothing can be created any more
# in a namespace that is being deleted.
node worker Ready
crd backups acme.io Backup
operator ops acme-operator 1 backups.acme.io
pods_ready ops acme-operator
leading ops acme-operator-leader acme-operator-7c9f_1
kubectl create namespace shop
object shop Backup.v1.acme.io nightly '{storage: {bucket: orders}}'
finalizer shop backups.acme.io nightly acme.io/purge acme-operator
delete_namespace shop
refusal=$(kubectl -n shop create job purge-nightly --image=example.invalid/purge 2>&1) && false
says shop backups.acme.io nightly acme-operator \
  "{conditions: [$(condition Purged False JobFailed "${refusal#*create job: }")]}"
