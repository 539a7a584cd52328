# A queue evicted a group of pods. It releases a pod when its replacement exists, but the
# replacement of a StatefulSet's pod has the same name and cannot be created before the pod is gone.
# The group's other pods were replaced and wait for admission. Nothing reports that: the queue's
# controller is healthy and does nothing.
node worker Ready
settled worker
crd workloads kueue.x-k8s.io Workload Namespaced v1beta2
crd localqueues kueue.x-k8s.io LocalQueue Namespaced v1beta2
crd clusterqueues kueue.x-k8s.io ClusterQueue Cluster v1beta2
crd resourceflavors kueue.x-k8s.io ResourceFlavor Cluster v1beta2
crd jobsets jobset.x-k8s.io JobSet Namespaced v1alpha2
works 600 kueue-system kueue-controller-manager workloads.kueue.x-k8s.io localqueues.kueue.x-k8s.io clusterqueues.kueue.x-k8s.io \
  resourceflavors.kueue.x-k8s.io pods. statefulsets.apps
leading kueue-system c1f6bfd2.kueue.x-k8s.io "$(pods_of kueue-system kueue-controller-manager)_a1b2"
# Other controllers that may write pods.
works 600 jobset-system jobset-controller-manager jobsets.jobset.x-k8s.io pods.
works 600 monitoring vpa-updater pods.
backend ok
live_webhook Validating kueue-validating-webhook-configuration ok 'CREATE, UPDATE' "" pods

kubectl create namespace team-a
kubectl apply -f - <<'YAML'
apiVersion: kueue.x-k8s.io/v1beta2
kind: ResourceFlavor
metadata: {name: default-flavor, finalizers: [kueue.x-k8s.io/resource-in-use]}
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata: {name: tenants, finalizers: [kueue.x-k8s.io/resource-in-use]}
spec: {resourceGroups: [{coveredResources: [cpu], flavors: [{name: default-flavor, resources: [{name: cpu, nominalQuota: "8"}]}]}]}
status: {pendingWorkloads: 1, reservingWorkloads: 0, admittedWorkloads: 0, conditions: [{type: Active, status: "True", reason: Ready, message: Can admit new workloads, lastTransitionTime: "2026-08-01T08:00:00Z"}]}
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: LocalQueue
metadata: {name: tenants, namespace: team-a}
spec: {clusterQueue: tenants}
YAML
# workload KIND NAME ROLE [FIELDS] creates a workload of the group, whose pods the queue handles.
# The queue's webhook gives a pod its label, its finalizer and, before admission, its scheduling
# gate.
workload() {
  kubectl -n team-a apply -f - <<YAML
apiVersion: apps/v1
kind: $1
metadata: {name: $2}
spec:
  replicas: 1
  selector: {matchLabels: {app: $2}}
  template:
    metadata:
      labels: {app: $2, kueue.x-k8s.io/managed: "true", kueue.x-k8s.io/queue-name: tenants, kueue.x-k8s.io/pod-group-name: tenant-1}
      annotations: {kueue.x-k8s.io/pod-group-total-count: "4", kueue.x-k8s.io/pod-group-serving: "true", kueue.x-k8s.io/role-hash: "$3"}
    spec:
      automountServiceAccountToken: false
      containers: [{name: c, image: example.invalid/$2, resources: {requests: {cpu: "1"}}}]
      ${4:-}
YAML
}
of() { kubectl -n team-a get pods -l "app=$1" -o jsonpath='{.items[*].metadata.name}'; }
held() { kubectl -n team-a patch pod "$1" --type=merge --field-manager=kube-controller-manager -p 'metadata: {finalizers: [kueue.x-k8s.io/managed]}'; }
workload StatefulSet engine 5b1f
there() { test -n "$(of "$1")"; }
wait_for 30 "the engine's pod" there engine
kubectl create --raw /api/v1/namespaces/team-a/pods/engine-0/binding -f - <<'JSON'
{"apiVersion": "v1", "kind": "Binding", "metadata": {"name": "engine-0", "namespace": "team-a"}, "target": {"apiVersion": "v1", "kind": "Node", "name": "worker"}}
JSON
held engine-0
for name in frontend router cache; do
  workload Deployment $name "${name:0:4}" "schedulingGates: [{name: kueue.x-k8s.io/admission}]"
  wait_for 30 "the pod of $name" there $name
  held "$(of $name)"
done
uid() { kubectl -n team-a get "$1" "$2" -o jsonpath='{.metadata.uid}'; }
reference() { echo "{apiVersion: v1, kind: Pod, name: $1, uid: $(uid pod "$1")}"; }
evicted=$(date -u -d '-50 minutes' +%FT%TZ)
kubectl apply --field-manager=kueue -f - <<YAML
apiVersion: kueue.x-k8s.io/v1beta2
kind: Workload
metadata:
  name: tenant-1
  namespace: team-a
  annotations: {kueue.x-k8s.io/is-group-workload: "true"}
  finalizers: [kueue.x-k8s.io/resource-in-use]
  ownerReferences: [$(reference engine-0), $(reference "$(of frontend)"), $(reference "$(of router)"), $(reference "$(of cache)")]
spec: {active: true, queueName: tenants, podSets: [{name: 5b1f, count: 1}, {name: fron, count: 1}, {name: rout, count: 1}, {name: cach, count: 1}]}
status:
  requeueState: {count: 1}
  conditions:
  - {type: QuotaReserved, status: "False", reason: Pending, message: "Exceeded the PodsReady timeout team-a/tenant-1", lastTransitionTime: "$evicted"}
  - {type: Admitted, status: "False", reason: NoReservation, message: The workload has no reservation, lastTransitionTime: "$evicted"}
  - {type: PodsReady, status: "False", reason: WaitForRecovery, message: "At least one pod has failed, waiting for recovery", lastTransitionTime: "$evicted"}
  - {type: Evicted, status: "True", reason: PodsReadyTimeout, message: "Exceeded the PodsReady timeout team-a/tenant-1", lastTransitionTime: "$evicted"}
  - {type: Requeued, status: "True", reason: BackoffFinished, message: The workload backoff was finished, lastTransitionTime: "$evicted"}
YAML
# The kubelet writes this status when the containers have ended, before it deletes the pod for good.
kubectl -n team-a patch pod engine-0 --subresource=status --type=merge --field-manager=kubelet -p "status: {phase: Succeeded, startTime: \"$evicted\", podIP: 10.0.0.7, podIPs: [{ip: 10.0.0.7}],
  conditions: [$(condition PodScheduled True), {type: TerminationTarget, status: 'True', reason: PodsReadyTimeout, message: 'Exceeded the PodsReady timeout team-a/tenant-1', lastTransitionTime: '$(now)'}, $(condition Ready False PodCompleted), $(condition ContainersReady False PodCompleted)],
  containerStatuses: [{name: c, image: example.invalid/engine, imageID: example.invalid/engine, ready: false, restartCount: 0, started: false,
    state: {terminated: {exitCode: 0, reason: Completed, startedAt: \"$evicted\", finishedAt: \"$evicted\"}}}]}"
kubectl -n team-a delete pod engine-0 --force --grace-period=0 --wait=false
late
aged 50 /registry/pods/team-a/engine-0 pod engine-0 -n team-a
kubectl create -f - <<YAML
apiVersion: v1
kind: Event
metadata: {generateName: "engine-0.", namespace: team-a}
involvedObject: {apiVersion: v1, kind: Pod, namespace: team-a, name: engine-0, uid: $(uid pod engine-0)}
type: Normal
reason: Stopped
message: "Exceeded the PodsReady timeout team-a/tenant-1"
source: {component: pod-kueue-controller}
count: 1
firstTimestamp: "$evicted"
lastTimestamp: "$evicted"
YAML
