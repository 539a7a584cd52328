# A restore succeeded long ago and still has its finalizer. Its cluster was deleted first, and the
# operator reads the cluster before it handles a restore, which only its log says. Another cluster
# and its finished restore are healthy.
node worker Ready
settled worker
crd perconapgclusters pgv2.percona.com PerconaPGCluster Namespaced v2
crd perconapgrestores pgv2.percona.com PerconaPGRestore Namespaced v2
crd perconapgbackups pgv2.percona.com PerconaPGBackup Namespaced v2
crd postgresclusters postgres-operator.crunchydata.com PostgresCluster Namespaced v1beta1
works 600 postgres-operator percona-postgresql-operator perconapgclusters.pgv2.percona.com perconapgrestores.pgv2.percona.com \
  perconapgbackups.pgv2.percona.com postgresclusters.postgres-operator.crunchydata.com secrets.
leading postgres-operator 08db3feb.percona.com percona-postgresql-operator-6b_1
works 600 minio minio-operator secrets.
kubectl create namespace staging
for name in cluster1 cluster2; do
  kubectl -n staging create secret generic "$name-pguser-$name" --from-literal=password=not-a-real-one
done
kubectl -n staging create secret generic cluster1-pgbackrest-secrets --from-literal=s3.conf=none
kubectl apply -f - <<YAML
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: cluster1-instance1-7fkq-pgdata, namespace: staging, labels: {postgres-operator.crunchydata.com/cluster: cluster1}}
spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}, storageClassName: standard}
YAML
[ -z "${TWIN:-}" ] || object staging PerconaPGCluster.v2.pgv2.percona.com cluster1 '{crVersion: 2.7.0, postgresVersion: 17}'
object staging PerconaPGCluster.v2.pgv2.percona.com cluster2 '{crVersion: 2.7.0, postgresVersion: 17, backups: {pgbackrest: {repos: [{name: repo1}]}}}'
says staging perconapgclusters cluster2 postgres-operator '{state: ready, host: cluster2-pgbouncer.staging.svc, postgres: {size: 3, ready: 3}}'
object staging PostgresCluster.v1beta1.postgres-operator.crunchydata.com cluster2 '{postgresVersion: 17}'
finalizer staging postgresclusters cluster2 postgres-operator.crunchydata.com/finalizer postgrescluster-controller
# restore NAME CLUSTER creates a restore that has succeeded.
restore() {
  object staging PerconaPGRestore.v2.pgv2.percona.com "$1" "{pgCluster: $2, repoName: repo1, options: ['--type=time', '--target=\"2025-08-01 09:00:00+00\"']}"
  finalizer staging perconapgrestores "$1" internal.percona.com/delete-restore postgres-operator
  says staging perconapgrestores "$1" postgres-operator "{state: Succeeded, jobName: $2-pgbackrest-restore, completed: '$(now)'}"
}
restore restore1 cluster1
restore restore2 cluster2
object staging PerconaPGBackup.v2.pgv2.percona.com backup2 '{pgCluster: cluster2, repoName: repo1}'
finalizer staging perconapgbackups backup2 internal.percona.com/delete-backup postgres-operator
says staging perconapgbackups backup2 postgres-operator "{state: Succeeded, backupType: full, completed: '$(now)'}"
kubectl -n staging delete perconapgrestore restore1 --wait=false
late
aged 70 /registry/pgv2.percona.com/perconapgrestores/staging/restore1 perconapgrestore restore1 -n staging
