# Like eviction-refused--responder-does-not-finish, but no responder is left: the eviction has failed. REASON is
# the reason of its condition.
twin_of eviction-refused--responder-does-not-finish
# A newer kubectl knows this kind as built in and would patch it as no custom resource can be patched.
kubectl replace -f - <<YAML
apiVersion: lifecycle.k8s.io/v1alpha1
kind: Eviction
metadata: {name: queue-0-evicted, namespace: shop}
spec: {target: {pod: {name: queue-0, uid: $(kubectl -n shop get pod queue-0 -o jsonpath='{.metadata.uid}')}}}
status:
  requesters: [{name: drover.example/drain, intent: Eviction}, {name: balancer.example/move, intent: Withdrawn}]
  targetResponders:
  - {name: shifter.example/state, priority: 10000, state: Interrupted}
  - {name: imperative-eviction.k8s.io/evictor, priority: 100, state: Interrupted}
  conditions: [$(condition Failed True "${REASON:-NoFurtherResponder}" "${WORDS:-all responders have been interrupted}")]
YAML
