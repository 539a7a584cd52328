# A node is drained for good. The eviction of a pod on it was requested three hours ago, and the
# responder that is to move the pod renews its heartbeat and does not finish. The eviction of a pod on
# another node has a responder that waits for its turn.
evictions() {
  kubectl apply -f - <<YAML
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: evictions.lifecycle.k8s.io
  annotations: {api-approved.kubernetes.io: "unapproved, it stands for the alpha API of 1.37"}
spec:
  group: lifecycle.k8s.io
  names: {plural: evictions, singular: eviction, kind: Eviction}
  scope: Namespaced
  versions:
  - name: v1alpha1
    served: true
    storage: true
    schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
YAML
  kubectl wait --for=condition=Established crd/evictions.lifecycle.k8s.io --timeout=60s
  wait_for 20 "evictions are served" kubectl get evictions.lifecycle.k8s.io -A
}
# eviction POD STATE RESPONDER-STATUS: of a pod, by shifter.example/state.
eviction() {
  kubectl apply -f - <<YAML
apiVersion: lifecycle.k8s.io/v1alpha1
kind: Eviction
metadata: {name: $1-evicted, namespace: shop}
spec: {target: {pod: {name: $1, uid: $(kubectl -n shop get pod "$1" -o jsonpath='{.metadata.uid}')}}}
status:
  requesters: [{name: drover.example/drain, intent: Eviction}]
  targetResponders:
  - {name: shifter.example/state, priority: 10000, state: $2}
  - {name: imperative-eviction.k8s.io/evictor, priority: 100, state: Inactive}
  responders: [{name: shifter.example/state, $3}, {name: imperative-eviction.k8s.io/evictor}]
YAML
}
before() { date -u -d "-$1 minutes" +%FT%TZ; }
running() {
  pod shop "$1" "$2" 30
  kubectl -n shop patch pod "$1" --subresource=status --type=merge \
    -p "status: {phase: Running, conditions: [$(condition Ready True)]}"
}
evictions
kubectl create namespace shop
operator drover drover 1 nodes.
node worker Ready
node old Ready
kubectl patch node old --type=merge --field-manager=drover -p '{"metadata": {"finalizers": ["drover.example/release"]},
  "spec": {"taints": [{"key": "drover.example/leaving", "effect": "NoSchedule"}]}}'
pods_ready drover drover
running queue-0 old
running queue-1 worker
kubectl delete node old --wait=false
late
eviction queue-0 Active "startTime: \"$(before 180)\", heartbeatTime: \"$(before 1)\",
  ${end:-}message: \"moving 4 of 9 shards: no peer accepts shard 5\""
eviction queue-1 Inactive "message: waiting"
aged 200 /registry/minions/old node old
pods_running_since 300 drover drover
