# Functions for states of queues.

install_kueue() {
  kustomized "$KUEUE/config" default >"$PLANE/kueue.yaml"
  apply_as_installer "$PLANE/kueue.yaml"
  up kueue-system kueue-controller-manager
  # Kueue writes the CA that it created into its webhooks itself.
  local again
  for again in 1 2 3 4; do
    # Its webhooks answer for a moment, before it starts the server that stays.
    wait_for 60 "its webhooks are trusted" queue_accepted
    sleep 2
  done
}
queue_accepted() {
  kubectl create --dry-run=server -f - <<YAML
apiVersion: kueue.x-k8s.io/v1beta2
kind: ResourceFlavor
metadata: {name: probe}
YAML
}

# flavor NAME creates a ResourceFlavor and waits for its finalizer.
flavor() {
  kubectl apply -f - <<YAML
apiVersion: kueue.x-k8s.io/v1beta2
kind: ResourceFlavor
metadata: {name: $1}
YAML
  wait_for 30 "flavor $1 is held" held resourceflavor "$1"
}
held() { kubectl get "$@" -o yaml | grep -q kueue.x-k8s.io/resource-in-use; }

# cluster_queue NAME [FLAVOR] creates a ClusterQueue with 8 CPUs for pods of all namespaces.
cluster_queue() {
  [ $# -gt 1 ] || flavor cpu
  kubectl apply -f - <<YAML
apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata: {name: $1}
spec:
  namespaceSelector: {}
  resourceGroups:
  - coveredResources: [cpu]
    flavors: [{name: ${2:-cpu}, resources: [{name: cpu, nominalQuota: 8}]}]
YAML
  wait_for 60 "queue $1 is active" is True '{.status.conditions[?(@.type=="Active")].status}' clusterqueue "$1"
}

# queued_job NAMESPACE NAME QUEUE [REPLICAS] creates a Job in a LocalQueue with the name of its
# ClusterQueue.
queued_job() {
  namespace "$1"
  kubectl apply -f - <<YAML
apiVersion: kueue.x-k8s.io/v1beta2
kind: LocalQueue
metadata: {name: $3, namespace: $1}
spec: {clusterQueue: $3}
YAML
  kubectl apply -f - <<YAML
apiVersion: batch/v1
kind: Job
metadata: {name: $2, namespace: $1, labels: {kueue.x-k8s.io/queue-name: $3}}
spec:
  parallelism: ${4:-1}
  suspend: true
  template:
    spec:
      restartPolicy: Never
      containers: [{name: train, image: example.invalid/train, resources: {requests: {cpu: 1}}}]
YAML
  wait_for 60 "job $2 is admitted" is "${4:-1}" '{.status.active}' job "$2" -n "$1"
}

# workload_of NAMESPACE JOB prints the name of a Job's Workload.
workload_of() {
  kubectl -n "$1" get workloads -o jsonpath="{.items[?(@.metadata.ownerReferences[0].name==\"$2\")].metadata.name}"
}
