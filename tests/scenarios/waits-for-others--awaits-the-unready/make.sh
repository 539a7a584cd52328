# An export waits for an archive that cannot become ready. The archive's status has the reason.
node worker Ready
crd exports acme.io Export
crd archives acme.io Archive
operator ops acme-operator 1 exports.acme.io
pods_ready ops acme-operator
operator ops archive-operator 1 archives.acme.io
pods_ready ops archive-operator
kubectl create namespace shop
object shop Archive.v1.acme.io cold
object shop Archive.v1.acme.io warm
says shop archives.acme.io cold archive-operator \
  "{conditions: [$(condition Ready False NoDriver 'no driver of class tape is installed')]}"
says shop archives.acme.io warm archive-operator \
  "{conditions: [$(condition Ready False NoDriver 'no driver of class disk is installed')]}"
object shop Export.v1.acme.io orders
finalizer shop exports.acme.io orders acme.io/export acme-operator
kubectl -n shop delete exports.acme.io orders --wait=false
says shop exports.acme.io orders acme-operator \
  "{conditions: [$(condition Ready False AwaitingArchive 'waiting for Archive cold')]}"
aged 30 /registry/acme.io/exports/shop/orders exports.acme.io orders -n shop
pods_running_since 300 ops acme-operator
pods_running_since 300 ops archive-operator
