# Three objects in a namespace that is being deleted name a login each, in another namespace. Of two the login is
# there; of the third it is gone. Their controller runs and says nothing.
crd ledgers books.example Ledger
node worker Ready
settled worker
works 600 books ledger-keeper ledgers.books.example
kubectl create namespace shop
kubectl create namespace vault
for name in east north south; do
  object shop Ledger.v1.books.example $name "{vault: {credentialsSecretRef: {name: login-$name, namespace: vault}}}"
  finalizer shop ledgers.books.example $name books.example/close ledger-keeper
  [ $name = "${GONE:-south}" ] || kubectl -n vault create secret generic login-$name --from-literal=a=b
done
delete_namespace shop
for name in east north south; do
  aged 30 /registry/books.example/ledgers/shop/$name ledgers.books.example $name -n shop
done
