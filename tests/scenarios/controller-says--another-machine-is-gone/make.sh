# A controller says that a machine is gone from its cloud. It looks for the one that the spec names since somebody has
# changed that: the status names another one, which may still run.
node worker Ready
crd vessels fleetyard.example Vessel Cluster
kubectl patch crd vessels.fleetyard.example --type=json \
  -p '[{"op": "add", "path": "/spec/versions/0/subresources", "value": {"status": {}}}]'
works 900 fleetyard fleetyard-operator vessels.fleetyard.example
object "" Vessel.v1.fleetyard.example pool-7x2 '{adopt: v-deadbeef}'
finalizer "" vessels.fleetyard.example pool-7x2 fleetyard.example/termination fleetyard-operator
told_by_status() {
  kubectl patch vessels.fleetyard.example "$1" --subresource=status --type=merge \
    --field-manager=fleetyard-operator -p "status: $2"
}
wait_for 20 "the status is a subresource" told_by_status pool-7x2 '{phase: Running}'
kubectl delete vessels.fleetyard.example pool-7x2 --wait=false
aged 30 /registry/fleetyard.example/vessels/pool-7x2 vessels.fleetyard.example pool-7x2
told_by_status pool-7x2 "{machine: {instanceId: ${ID:-v-0a81c7}}, conditions: [
  $(condition Terminated False TerminateFailed 'deleting v-deadbeef: instance v-deadbeef not found')]}"
