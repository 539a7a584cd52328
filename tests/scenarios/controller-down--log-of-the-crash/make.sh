# An operator crashes on the object that it should release. The log of its previous container shows
# it.
kubelet
node_with_kubelet worker
crd databases acme.io Database
operator ops acme-operator 1 databases.acme.io
kubectl create namespace shop
object shop Database.v1.acme.io orders
finalizer shop databases orders acme.io/backup acme-operator
delete_namespace shop
pods_crash ops acme-operator Error 2
crash() { log ops "$(pods_of ops acme-operator)" manager.previous "$1"; }
crash 'I1121 10:00:00.000001       1 main.go:42] "Starting" version="1.4.2"'
crash 'I1121 10:00:01.000001       1 database.go:88] "Finalizing" Database="shop/orders"'
crash 'panic: runtime error: invalid memory address or nil pointer dereference'
crash 'goroutine 87 [running]:'
crash 'acme.io/operator/database.(*Reconciler).finalize(0xc000312000)'
