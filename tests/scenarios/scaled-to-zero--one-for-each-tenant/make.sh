# Each team has its own operator, with the same name and the same permissions. The kind came with
# the first team's release. The operators of the first and the last team are at zero, and an object
# of the last team is being deleted.
crd databases acme.io Database
rights db-operator databases.acme.io
subjects=()
for team in a b c d e f g; do subjects+=("--serviceaccount=team-$team:db-operator"); done
kubectl create clusterrolebinding db-operators --clusterrole=db-operator --serviceaccount=team-z:db-operator \
  "${subjects[@]}"
for team in a z; do
  service_account team-$team db-operator
  deployment team-$team db-operator 0
done
released_by team-a db-operator crd databases.acme.io
object team-z Database.v1.acme.io orders
finalizer team-z databases.acme.io orders acme.io/backup db-operator
kubectl -n team-z delete databases.acme.io orders --wait=false
late
