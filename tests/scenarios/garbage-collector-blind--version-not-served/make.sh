# A dependent names its owner by a version that the definition no longer serves. The garbage
# collector tries no other version, so the owner waits forever. The garbage collector works: it
# deleted a dependent that names the served version.
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
