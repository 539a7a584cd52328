# A finalizer on a pod that its kubelet has finished holds a namespace. A database is not being
# deleted yet, and its operator is at 0.
crd databases acme.io Database
node alive Ready
operator ops acme-operator 0 databases.acme.io
kubectl create namespace shop
object shop Database.v1.acme.io orders
finalizer shop databases.acme.io orders databases.acme.io/backup acme-operator
pod shop web alive 1 mesh.example/deregister
kubectl delete namespace shop --wait=false
looked shop
phase shop web Succeeded
kubectl -n shop delete pod web --grace-period=0 --force --wait=false
late
is "False False False False False" '{.status.conditions[*].status}' namespace shop
aged 70 /registry/namespaces/shop namespace shop
