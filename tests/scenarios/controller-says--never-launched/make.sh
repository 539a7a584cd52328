# A machine could not be launched: its cloud has no such type, its provider id is empty, and the controller takes the
# answer to its clean-up for an error.
node worker Ready
crd vessels fleetyard.example Vessel Cluster
kubectl patch crd vessels.fleetyard.example --type=json \
  -p '[{"op": "add", "path": "/spec/versions/0/subresources", "value": {"status": {}}}]'
works 900 fleetyard fleetyard-operator vessels.fleetyard.example
object "" Vessel.v1.fleetyard.example pool-7x2 '{type: m9.huge}'
finalizer "" vessels.fleetyard.example pool-7x2 fleetyard.example/termination fleetyard-operator
told_by_status() {
  kubectl patch vessels.fleetyard.example "$1" --subresource=status --type=merge \
    --field-manager=fleetyard-operator -p "status: $2"
}
status() {
  echo "{providerID: '$1', conditions: [$(condition Launched "$2" "$3" "$4"),
    $(condition Terminated False TerminateFailed 'cannot terminate it: the answer of the cloud has no instance')]}"
}
id=${ID:-}
launched=$([ -n "$id" ] && echo True || echo False)
wait_for 20 "the status is a subresource" told_by_status pool-7x2 '{phase: Pending}'
kubectl delete vessels.fleetyard.example pool-7x2 --wait=false
aged 30 /registry/fleetyard.example/vessels/pool-7x2 vessels.fleetyard.example pool-7x2
told_by_status pool-7x2 "$(status "$id" "$launched" \
  "$([ -n "$id" ] && echo Launched || echo LaunchFailed)" \
  "$([ -n "$id" ] && echo 'it runs' || echo 'launch failed: invalid machine type m9.huge')")"
