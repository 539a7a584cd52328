# An application deletes its parts with itself. One of them is deleted only after a confirmation, and
# the list of parts in the status says so.
node worker Ready
settled worker
crd voyages lodestar.example Voyage
works 600 star lodestar voyages.lodestar.example
kubectl create namespace shop
object shop Voyage.v1.lodestar.example spring
finalizer shop voyages.lodestar.example spring lodestar.example/parts lodestar
kubectl -n shop create configmap stores --from-literal=a=b
kubectl -n shop create configmap ledger --from-literal=a=b
# parts BOOLEAN writes the list of parts and whether the second one must be confirmed.
parts() {
  says shop voyages.lodestar.example spring lodestar "{resources: [
    {kind: ConfigMap, version: v1, namespace: shop, name: stores, status: Synced},
    {kind: ConfigMap, version: v1, namespace: shop, name: ledger, status: Synced, requiresDeletionConfirmation: $1}]}"
}
parts false
kubectl -n shop delete voyages.lodestar.example spring --wait=false
parts "${REQUIRES:-true}"
aged 40 /registry/lodestar.example/voyages/shop/spring voyages.lodestar.example spring -n shop
