# A pool counts the runs that it admitted. The only run was created for a Job. A queue in another
# namespace names the pool too. The pool's controller leads, and the deletion is a moment old.
node worker Ready
crd pools pool.example Pool Cluster
crd queues pool.example Queue
crd runs pool.example Run
operator ops pool-manager 1 pools.pool.example queues.pool.example runs.pool.example
pods_ready ops pool-manager
leading ops pool-manager-leader pool-manager-7c9f_1
kubectl create namespace research
object "" Pool.v1.pool.example team
finalizer "" pools.pool.example team pool.example/in-use pool-manager
says "" pools.pool.example team pool-manager "{admittedRuns: $([ -n "${TWIN:-}" ] && echo 0 || echo 1)}"
object research Queue.v1.pool.example team '{pool: team}'
kubectl apply -f - <<'YAML'
apiVersion: batch/v1
kind: Job
metadata: {name: train, namespace: research}
spec:
  suspend: true
  template: {spec: {restartPolicy: Never, containers: [{name: train, image: example.invalid/train}]}}
YAML
kubectl apply -f - <<YAML
apiVersion: pool.example/v1
kind: Run
metadata:
  name: job-train
  namespace: research
  ownerReferences:
  - {apiVersion: batch/v1, kind: Job, name: train, controller: true, uid: $(kubectl -n research get job train -o jsonpath='{.metadata.uid}')}
spec: {queueName: team}
YAML
[ -n "${TWIN:-}" ] || says research runs.pool.example job-train pool-manager '{admission: {pool: team}}'
kubectl delete pools.pool.example team --wait=false
late
