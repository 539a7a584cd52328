# A database and its user were deleted at the same time. The user was gone first, but removing its
# finalizer from the database failed because the database had just changed. The controller keeps
# reporting that a user is left. Another database and its user are healthy.
node worker Ready
settled worker
crd databases kinda.rocks Database Namespaced v1beta1
crd dbusers kinda.rocks DbUser Namespaced v1beta1
crd dbinstances kinda.rocks DbInstance Cluster v1beta1
works 600 db-operator db-operator databases.kinda.rocks dbusers.kinda.rocks dbinstances.kinda.rocks secrets.
leading db-operator 6fe36c14.kinda.rocks db-operator-7c9d_1
works 600 cert-manager cert-manager secrets.
backend ok
live_webhook Validating vdatabase.kb.io ok '"CREATE", "UPDATE"' kinda.rocks databases
kubectl create namespace my-app
kubectl apply -f - <<YAML
apiVersion: kinda.rocks/v1beta1
kind: DbInstance
metadata: {name: postgres}
spec: {engine: postgres, adminSecretRef: {Namespace: db-operator, Name: postgres-admin}, generic: {host: postgres.databases.svc, port: 5432}}
status: {status: true}
YAML
kubectl -n db-operator create secret generic postgres-admin --from-literal=user=postgres --from-literal=password=not-a-real-one
# database NAME USER creates a database with one user.
database() {
  kubectl -n my-app create secret generic "$1-credentials" --from-literal=POSTGRES_DB="my-app-$1"
  kubectl -n my-app create secret generic "$2-secret" --from-literal=POSTGRES_USER="$2"
  object my-app Database.v1beta1.kinda.rocks "$1" "{secretName: $1-credentials, instance: postgres, deletionProtected: false, backup: {enable: false, cron: '0 0 * * *'}}"
  object my-app DbUser.v1beta1.kinda.rocks "$2" "{secretName: $2-secret, accessType: readWrite, databaseRef: $1}"
  kubectl -n my-app patch databases.kinda.rocks "$1" --type=merge --field-manager=db-operator -p "metadata: {finalizers: [db.$1, dbuser.$2]}"
  finalizer my-app dbusers "$2" "dbuser.$2" db-operator
  says my-app databases.kinda.rocks "$1" db-operator "{status: true, database: my-app-$1, user: my-app-$1, engine: postgres, operatorVersion: 2.20.0}"
  says my-app dbusers "$2" db-operator "{status: true, created: true, database: $1, operatorVersion: 2.20.0}"
}
database example-db dbuser-readwrite
database other-db other-readwrite
if [ -n "${TWIN:-}" ]; then
  kubectl -n my-app delete databases.kinda.rocks example-db --wait=false
else
  kubectl -n my-app delete databases.kinda.rocks/example-db dbusers.kinda.rocks/dbuser-readwrite --wait=false
  kubectl -n my-app patch dbusers dbuser-readwrite --type=merge --field-manager=db-operator -p 'metadata: {finalizers: null}'
  wait_for 20 "the user is gone" gone dbusers dbuser-readwrite -n my-app
fi
says my-app databases.kinda.rocks example-db db-operator '{status: false}'
late
aged 45 /registry/kinda.rocks/databases/my-app/example-db databases.kinda.rocks example-db -n my-app
kubectl create -f - <<YAML
apiVersion: events.k8s.io/v1
kind: Event
metadata: {name: example-db.18a1f3c2b7d0e946, namespace: my-app}
regarding: {apiVersion: kinda.rocks/v1beta1, kind: Database, namespace: my-app, name: example-db, uid: $(kubectl -n my-app get databases.kinda.rocks example-db -o jsonpath='{.metadata.uid}')}
type: Warning
reason: Reconcile error
action: Can't reconcile
note: database can't be removed, while there are DbUser referencing it
reportingController: database-controller
reportingInstance: database-controller-$(pods_of db-operator db-operator)
eventTime: "$(date -u -d -44minutes +%FT%T.000000Z)"
series: {count: 45, lastObservedTime: "$(date -u +%FT%T.000000Z)"}
YAML
