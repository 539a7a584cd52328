# A quota does not allow the pods of an operator.
crd databases acme.io Database
namespace ops
kubectl -n ops create quota pods --hard=pods=0
known() { is 0 '{.status.hard.pods}' quota pods -n ops; }
wait_for 20 "the quota is known" known
operator ops acme-operator 1 databases.acme.io
kubectl create namespace shop
object shop Database.v1.acme.io orders
finalizer shop databases orders acme.io/backup acme-operator
delete_namespace shop
