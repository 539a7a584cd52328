# Two objects name a login of the same name in two namespaces. It is gone in one of them.
crd ledgers books.example Ledger Cluster
node worker Ready
settled worker
works 600 books ledger-keeper ledgers.books.example
for place in shop harbor; do
  kubectl create namespace $place
  object "" Ledger.v1.books.example $place "{vault: {credentialsSecretRef: {name: login, namespace: $place}}}"
  finalizer "" ledgers.books.example $place books.example/close ledger-keeper
done
kubectl -n shop create secret generic login --from-literal=a=b
for place in shop harbor; do
  kubectl delete ledgers.books.example $place --wait=false
  aged 30 /registry/books.example/ledgers/$place ledgers.books.example $place
done
late
