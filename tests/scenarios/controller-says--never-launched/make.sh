# A machine could not be launched: its cloud has no such type, its provider id is empty, and the controller takes the
# answer to its clean-up for an error.
group=${GROUP:-fleetyard.example} spec='{type: m9.huge}'
node worker Ready
crd vessels "$group" Vessel Cluster
kubectl patch crd "vessels.$group" --type=json \
  -p '[{"op": "add", "path": "/spec/versions/0/subresources", "value": {"status": {}}}]'
works 900 fleetyard fleetyard-operator "vessels.$group"
object "" "Vessel.v1.$group" pool-7x2 "${SPEC:-$spec}"
finalizer "" "vessels.$group" pool-7x2 "${FINALIZER:-fleetyard.example/termination}" fleetyard-operator
told_by_status() {
  kubectl patch "vessels.$group" "$1" --subresource=status --type=merge \
    --field-manager=fleetyard-operator -p "status: $2"
}
launched() {
  if [ -n "${ID:-}" ]; then
    condition Launched True Launched 'it runs'
  else
    condition Launched False LaunchFailed 'launch failed: invalid machine type m9.huge'
  fi
}
status="{providerID: '${ID:-}', conditions: [$(launched),
  $(condition Terminated False TerminateFailed 'cannot terminate it: the answer of the cloud has no instance')]}"
wait_for 20 "the status is a subresource" told_by_status pool-7x2 "{phase: ${PHASE:-Pending}}"
kubectl delete "vessels.$group" pool-7x2 --wait=false
aged 30 "/registry/$group/vessels/pool-7x2" "vessels.$group" pool-7x2
told_by_status pool-7x2 "${STATUS:-$status}"
