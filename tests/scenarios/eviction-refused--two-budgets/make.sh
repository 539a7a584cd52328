# A Machine is deleted, and its node is drained. Two budgets cover a pod there, so the API never
# evicts it, whatever the budgets allow.
kubectl create namespace shop
kubectl create namespace fleet
crd machines fleet.example.com Machine
operator fleet fleet-controller 1 machines.fleet.example.com
node worker Ready
node old Ready
kubectl cordon old
pods_ready fleet fleet-controller
object fleet Machine.v1.fleet.example.com m-1
finalizer fleet machine m-1 machine.fleet.example.com fleet-controller
says fleet machine m-1 fleet-controller '{nodeRef: {kind: Node, name: old}}'
for pod in web-0 web-1; do
  kubectl -n shop apply -f - <<YAML
apiVersion: v1
kind: Pod
metadata: {name: $pod, labels: {app: web, tier: front}}
spec:
  nodeName: old
  automountServiceAccountToken: false
  containers: [{name: c, image: example.invalid/none}]
YAML
  kubectl -n shop patch pod "$pod" --subresource=status --type=merge \
    -p "status: {phase: Running, conditions: [$(condition Ready True)]}"
done
budget() {
  kubectl -n shop apply -f - <<YAML
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: $1}
spec: {minAvailable: 1, selector: {matchLabels: {$2}}}
YAML
  wait_for 30 "the budget $1 lets one go" is 1 '{.status.disruptionsAllowed}' pdb "$1" -n shop
}
budget front "tier: front"
budget web "app: web"
kubectl -n fleet delete machine m-1 --wait=false
late
