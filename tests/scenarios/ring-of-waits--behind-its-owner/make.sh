# A database is deleted in the foreground and waits for the account that it owns. Their operator
# removes the account from the database once the database is Ready, but the database's server was
# deleted first.
node worker Ready
settled worker
crd databases store.example Database
crd accounts store.example Account
works 600 store-system store-operator databases.store.example accounts.store.example
kubectl create namespace shop
kubectl -n shop apply --field-manager=kubectl-client-side-apply -f - <<'YAML'
apiVersion: store.example/v1
kind: Database
metadata: {name: orders}
YAML
kubectl -n shop apply --field-manager=store-operator -f - <<YAML
apiVersion: store.example/v1
kind: Account
metadata:
  name: orders-app
  ownerReferences: [{apiVersion: store.example/v1, kind: Database, name: orders, controller: true,
    blockOwnerDeletion: true, uid: $(kubectl -n shop get databases.store.example orders -o jsonpath='{.metadata.uid}')}]
spec: {databaseRef: {name: orders}}
YAML
kubectl -n shop patch accounts.store.example orders-app --type=merge --field-manager=store-operator \
  -p 'metadata: {finalizers: [store.example/account]}'
kubectl -n shop patch databases.store.example orders --type=merge --field-manager=store-operator \
  -p "status: {conditions: [$(condition Ready False NotReady 'not ready: no server runs')]}"
asked() { test -n "$(kubectl -n shop get accounts.store.example orders-app -o jsonpath='{.metadata.deletionTimestamp}')"; }
watched shop Account.v1.store.example
if [ -z "${TWIN:-}" ]; then
  foreground databases.store.example orders -n shop
  wait_for 30 "the collector has asked the account to go" asked
else
  kubectl -n shop delete accounts.store.example orders-app --wait=false
fi
late
