# An agent is being deleted, and its operator makes a last backup first. The backup Job failed
# because its credentials for the store are placeholders. The operator does not retry on its own,
# and an event says what to do. Another agent is healthy, and another failed Job is unrelated.
node worker Ready
settled worker
crd hermesinstances hermes.agent HermesInstance
crd hermesselfconfigs hermes.agent HermesSelfConfig
works 3000 hermes-operator-system hermes-operator hermesinstances.hermes.agent hermesselfconfigs.hermes.agent \
  statefulsets.apps jobs.batch cronjobs.batch secrets. configmaps. services. persistentvolumeclaims.
[ -n "${TWIN:-}" ] || leading hermes-operator-system 1f361c61.agent "$(pods_of hermes-operator-system hermes-operator)_1"
works 3000 cert-manager cert-manager secrets.
works 3000 velero velero persistentvolumeclaims.
kubectl create namespace agents
kubectl -n agents create secret generic s3-creds --from-literal=AWS_ACCESS_KEY_ID=placeholder --from-literal=AWS_SECRET_ACCESS_KEY=placeholder --from-literal=RESTIC_PASSWORD=not-a-real-one
# agent NAME creates a HermesInstance and what its operator creates for it.
agent() {
  kubectl apply -f - <<YAML
apiVersion: hermes.agent/v1
kind: HermesInstance
metadata: {name: $1, namespace: agents}
spec:
  image: {repository: ghcr.io/paperclipinc/hermes-agent, tag: v0.16.0}
  storage: {persistence: {enabled: true, size: 1Gi}}
  backup:
    s3: {bucket: hermes-backups, endpoint: s3.example.com, credentialsSecretRef: {name: s3-creds}}
    schedule: "0 3 * * *"
    onDelete: true
YAML
  finalizer agents hermesinstances "$1" hermes.agent/backup-on-delete manager
  local mine
  mine="{controller: true, $(owner hermesinstances "$1" agents | sed 's/^{//')"
  kubectl apply --field-manager=manager -f - <<YAML
apiVersion: v1
kind: Service
metadata: {name: $1, namespace: agents, labels: {app.kubernetes.io/managed-by: hermes-operator, hermes.agent/instance: $1}, ownerReferences: [$mine]}
spec: {selector: {hermes.agent/instance: $1}, ports: [{port: 8080}]}
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: $1-data, namespace: agents, labels: {hermes.agent/instance: $1}, ownerReferences: [$mine]}
spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
---
apiVersion: batch/v1
kind: CronJob
metadata: {name: $1-backup, namespace: agents, labels: {hermes.agent/instance: $1}, ownerReferences: [$mine]}
spec:
  schedule: "0 3 * * *"
  jobTemplate: {spec: {template: {spec: {restartPolicy: OnFailure, containers: [{name: restic, image: "restic/restic:0.16.4"}]}}}}
---
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: $1, namespace: agents, labels: {hermes.agent/instance: $1}, ownerReferences: [$mine]}
spec:
  serviceName: $1
  selector: {matchLabels: {app.kubernetes.io/name: $1}}
  template:
    metadata: {labels: {app.kubernetes.io/name: $1, hermes.agent/instance: $1}}
    spec: {containers: [{name: hermes, image: "ghcr.io/paperclipinc/hermes-agent:v0.16.0"}]}
YAML
  pods_on worker agents "$1"
  pods_running_since 300 agents "$1"
  says agents hermesinstances "$1" manager "{observedGeneration: 1, phase: Ready, replicas: 1, readyReplicas: 1,
    conditions: [$(condition Ready True AllReady), $(condition StorageReady True PVCReady), $(condition BackupReady True Scheduled "Backup CronJob \"$1-backup\" scheduled \"0 3 * * *\"")]}"
}
agent research
agent support
# fails NAMESPACE JOB makes the pod of a Job exceed the backoff limit and waits until the Job has
# failed.
fails() {
  kubectl -n "$1" wait --for=jsonpath='{.status.active}'=1 "job/$2" --timeout=60s
  local pod
  pod=$(kubectl -n "$1" get pods -l "batch.kubernetes.io/job-name=$2" -o name)
  kubectl -n "$1" patch "$pod" --subresource=status --type=merge -p "status: {phase: Running, startTime: \"$(now)\", containerStatuses: [{name: restic, image: restic, imageID: restic, ready: false, restartCount: 4,
    state: {waiting: {reason: CrashLoopBackOff}}, lastState: {terminated: {exitCode: 1, reason: Error, startedAt: \"$(now)\", finishedAt: \"$(now)\"}}}]}"
  kubectl -n "$1" wait --for=condition=Failed "job/$2" --timeout=60s
}
kubectl create namespace reports
kubectl apply -f - <<'YAML'
apiVersion: batch/v1
kind: Job
metadata: {name: nightly, namespace: reports}
spec:
  backoffLimit: 3
  template: {spec: {restartPolicy: OnFailure, containers: [{name: restic, image: example.invalid/reports}]}}
YAML
fails reports nightly
kubectl -n agents delete hermesinstance research --wait=false
kubectl apply --field-manager=manager -f - <<YAML
apiVersion: batch/v1
kind: Job
metadata:
  name: research-backup-final
  namespace: agents
  labels: {app.kubernetes.io/managed-by: hermes-operator, hermes.agent/instance: research, hermes.agent/job-kind: onDelete}
  ownerReferences: [{controller: true, $(owner hermesinstances research agents | sed 's/^{//')]
spec:
  backoffLimit: 3
  ttlSecondsAfterFinished: 86400
  template:
    metadata: {labels: {hermes.agent/instance: research, hermes.agent/job-kind: onDelete}}
    spec:
      restartPolicy: OnFailure
      containers:
      - name: restic
        image: restic/restic:0.16.4
        command: [/bin/sh]
        env: [{name: RESTIC_REPOSITORY, value: "s3:s3.example.com/hermes-backups"}]
        envFrom: [{secretRef: {name: s3-creds}}]
        volumeMounts: [{name: data, mountPath: /home/hermes/.hermes}]
      volumes: [{name: data, persistentVolumeClaim: {claimName: research-data}}]
YAML
if [ -n "${TWIN:-}" ]; then
  kubectl -n agents wait --for=jsonpath='{.status.active}'=1 job/research-backup-final --timeout=60s
  phase agents "$(kubectl -n agents get pods -l batch.kubernetes.io/job-name=research-backup-final -o jsonpath='{.items[0].metadata.name}')" Succeeded
  kubectl -n agents wait --for=condition=Complete job/research-backup-final --timeout=60s
  kubectl -n hermes-operator-system scale deployment hermes-operator --replicas=0
  kubectl -n hermes-operator-system delete pod -l app.kubernetes.io/name=hermes-operator --force --grace-period=0
else
  fails agents research-backup-final
fi
failing() {
  says agents hermesinstances research manager "{backup: {finalBackupJobName: research-backup-final, lastFailureReason: FinalBackupJobFailed, lastFailureTime: \"$(now)\"}}"
}
[ -n "${TWIN:-}" ] || failing
late
aged 90 /registry/hermes.agent/hermesinstances/agents/research hermesinstance research -n agents
[ -n "${TWIN:-}" ] || failing
[ -n "${TWIN:-}" ] || event agents hermesinstance research FinalBackupFailed 'Final backup Job \"research-backup-final\" failed. Inspect logs, delete the Job to retry, or annotate \"hermes.agent/skip-final-backup\"=true to skip.' hermesinstance
