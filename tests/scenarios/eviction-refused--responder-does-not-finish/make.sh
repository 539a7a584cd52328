# A node is being drained for good. The eviction of a pod on it was requested three hours ago. The
# responder that moves the pod renews its heartbeat but does not finish. The eviction of a pod on
# another node waits for its responder.

# eviction POD STATE RESPONDER-STATUS creates the Eviction of a pod, with responder
# shifter.example/state.
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
crd evictions lifecycle.k8s.io Eviction Namespaced v1alpha1
kubectl create namespace shop
drained old drover drover.example/release drover.example/leaving
running queue-0 old
running queue-1 worker
kubectl delete node old --wait=false
late
eviction queue-0 Active "startTime: \"$(before 180)\", heartbeatTime: \"$(before 1)\",
  ${end:-}message: \"moving 4 of 9 shards: no peer accepts shard 5\""
eviction queue-1 Inactive "message: waiting"
aged 200 /registry/minions/old node old
pods_running_since 300 drover drover
