# A running operator fails, and only its log says why.
kubelet
node_with_kubelet worker
crd databases acme.io Database
operator ops acme-operator 1 databases.acme.io
pods_ready ops acme-operator
leading ops acme-operator-leader acme-operator-7c9f_1
kubectl create namespace shop
object shop Database.v1.acme.io orders
finalizer shop databases orders acme.io/backup acme-operator
# controller LEVEL MESSAGE OBJECT [REST] writes a log line in the format of an operator.
controller() {
  log ops "$(pods_of ops acme-operator)" manager "{\"level\":\"$1\",\"ts\":\"$(now)\",\"msg\":\"$2\",\
\"controller\":\"database\",\"controllerKind\":\"Database\",\"Database\":{\"name\":\"$3\",\"namespace\":\"shop\"}${4:-}}"
}
controller info 'backup is stored' orders ',"bucket":"shop-backups"'
delete_namespace shop
controller info 'finalizing' orders
controller error 'Reconciler error' orders ',"error":"store the last backup: AccessDenied: not authorized to perform s3:PutObject on \"shop-backups\""'
controller error 'Reconciler error' invoices ',"error":"volume shop-invoices is in use"'
log ops "$(pods_of ops acme-operator)" manager 'GET /metrics 200'
