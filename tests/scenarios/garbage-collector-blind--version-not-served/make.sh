# An operator's manifests name an owner by a version that its definition no longer serves: the
# garbage collector looks in no other version, and the owner waits for the dependent for ever. The
# collector is well: what names the same owner by the version that is served is gone.
crd ledgers books.example Ledger Namespaced v2
kubectl create namespace shop
kubectl apply -f - <<'YAML'
apiVersion: books.example/v2
kind: Ledger
metadata: {name: north, namespace: shop}
YAML
reference=$(owner ledgers.books.example north shop)
owned shop page "" "${reference/v2/v1beta1}"
owned shop cover "" "$reference"
seen
foreground ledgers.books.example north -n shop
wait_for 20 "the other dependent is gone" gone cm cover -n shop
late
