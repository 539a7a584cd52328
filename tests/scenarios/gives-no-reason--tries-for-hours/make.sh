# An operator has written to an object every few seconds for two hours. Its status says only when it
# tried.
node worker Ready
crd exports acme.io Export
operator ops acme-operator 1 exports.acme.io
pods_ready ops acme-operator
leading ops acme-operator-leader acme-operator-7c9f_1
kubectl create namespace shop
object shop Export.v1.acme.io orders
finalizer shop exports.acme.io orders acme.io/export acme-operator
kubectl -n shop delete exports.acme.io orders --wait=false
aged 120 /registry/acme.io/exports/shop/orders exports.acme.io orders -n shop
pods_running_since 300 ops acme-operator
says shop exports.acme.io orders acme-operator "{lastAttempt: '$(now)', attempts: 412}"
