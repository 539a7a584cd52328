# An operator has just begun to write to an object that was deleted a moment ago.
node worker Ready
crd exports acme.io Export
operator ops acme-operator 1 exports.acme.io
pods_ready ops acme-operator
leading ops acme-operator-leader acme-operator-7c9f_1
kubectl create namespace shop
object shop Export.v1.acme.io orders
finalizer shop exports.acme.io orders acme.io/export acme-operator
kubectl -n shop delete exports.acme.io orders --wait=false
pods_running_since 300 ops acme-operator
late
says shop exports.acme.io orders acme-operator "{lastAttempt: '$(now)', attempts: 2}"
