# The operator created a cleanup Job and waits for it to complete. The Job has failed.
node worker Ready
crd warehouses kestrel.dev Warehouse
operator kestrel kestrel 1 warehouses.kestrel.dev
pods_ready kestrel kestrel
kubectl create namespace dwh
object dwh Warehouse.v1.kestrel.dev sales "{buckets: 3}"
finalizer dwh warehouses.kestrel.dev sales kestrel.dev/purge kestrel
kubectl -n dwh delete warehouses.kestrel.dev sales --wait=false
kubectl apply --field-manager=kestrel -f - <<YAML
apiVersion: batch/v1
kind: Job
metadata: {name: sales-purge, namespace: dwh, ownerReferences: [$(owner warehouses.kestrel.dev sales dwh)]}
spec:
  backoffLimit: 0
  template:
    metadata: {labels: {app.kubernetes.io/name: sales-purge}}
    spec: {restartPolicy: Never, automountServiceAccountToken: false, containers: [{name: manager, image: example.invalid/purge}]}
YAML
pods_on worker dwh sales-purge
ended="{reason: Error, exitCode: 3, startedAt: '$(now)', finishedAt: '$(now)'}"
pods_status dwh sales-purge "{phase: Failed, startTime: '$(now)', conditions: [$(condition Ready False PodFailed)],
  containerStatuses: [{name: manager, image: x, imageID: x, ready: false, restartCount: 0, state: {terminated: $ended}}]}"
wait_for 60 "the Job has failed" is True '{.status.conditions[?(@.type=="Failed")].status}' job sales-purge -n dwh
late
