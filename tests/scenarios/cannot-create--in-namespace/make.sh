# An operator cleans up with a Job in the object's namespace, but nothing can be created in a
# namespace that is being deleted.
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
