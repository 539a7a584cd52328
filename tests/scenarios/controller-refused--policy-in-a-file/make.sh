# An operator must make a Job before it releases a database, and its status reports that a policy refuses that. The
# name says that the policy is in a file on the control plane. POLICY is another name.
policy=${POLICY:-keep-jobs-out.static.k8s.io}
node worker Ready
crd databases acme.io Database
operator ops acme-operator 1 databases.acme.io
pods_ready ops acme-operator
operator guard job-guard 0
kubectl create namespace shop
object shop Database.v1.acme.io orders
finalizer shop databases.acme.io orders acme.io/backup acme-operator
kubectl -n shop delete databases.acme.io orders --wait=false
kubectl -n shop patch databases.acme.io orders --type=merge --field-manager=acme-operator -p "
status:
  conditions:
  - type: Deleted
    status: 'False'
    reason: BackupFailed
    lastTransitionTime: '$(now)'
    message: \"cannot create Job last-backup: jobs.batch \\\"last-backup\\\" is forbidden: ValidatingAdmissionPolicy '$policy' with binding '$policy' denied request: no Jobs in this cluster\"
"
late
