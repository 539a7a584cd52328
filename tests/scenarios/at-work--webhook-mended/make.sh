# A dead webhook refused an operator's request. The webhook's failures are ignored as of now.
crd databases acme.io Database
operator ops acme-operator 1 databases.acme.io
kubectl create namespace shop
object shop Database.v1.acme.io orders
finalizer shop databases.acme.io orders acme.io/backup acme-operator
kubectl -n shop delete databases.acme.io orders --wait=false
refused='failed calling webhook "jobs.acme.io": failed to call webhook: service "jobs" not found'
says shop databases.acme.io orders acme-operator \
  "{conditions: [$(condition Ready False BackupFailed "$refused")]}"
aged 60 /registry/acme.io/databases/shop/orders databases.acme.io orders -n shop
pods_running_since 300 ops acme-operator
dead_webhook jobs CREATE batch jobs
kubectl patch validatingwebhookconfiguration jobs --type=json \
  -p '[{"op":"replace","path":"/webhooks/0/failurePolicy","value":"Ignore"}]'
