# Three objects of one controller say that their login was not found; each names its own, in words that do
# not. Of one it is gone, of the others another thing is missing in the vault.
crd ledgers books.example Ledger
node worker Ready
settled worker
works 600 books ledger-keeper ledgers.books.example
kubectl create namespace shop
for name in north south east; do
  object shop Ledger.v1.books.example $name "{vault: {credentialsSecretRef: {name: login-$name}}}"
  finalizer shop ledgers.books.example $name books.example/close ledger-keeper
  [ $name = south ] || kubectl -n shop create secret generic login-$name --from-literal=a=b
done
kubectl -n shop delete ledgers.books.example north south east --wait=false
for name in north south east; do
  says shop ledgers.books.example $name ledger-keeper \
    "{conditions: [$(condition Ready False CannotClose 'cannot close the ledger: credentials not found')]}"
  aged 30 /registry/books.example/ledgers/shop/$name ledgers.books.example $name -n shop
done
late
