# A node is being drained for good, and a budget allows no eviction. A second budget allows the
# eviction of another pod on the node.
kubectl create namespace shop
drained old karpenter karpenter.sh/termination karpenter.sh/disrupted
labelled() {
  kubectl -n shop apply -f - <<YAML
apiVersion: v1
kind: Pod
metadata: {name: $1, labels: {app: ${1%-*}}}
spec:
  nodeName: old
  automountServiceAccountToken: false
  containers: [{name: c, image: example.invalid/none}]
YAML
  kubectl -n shop patch pod "$1" --subresource=status --type=merge \
    -p "status: {phase: Running, conditions: [$(condition Ready True)]}"
}
for pod in db-0 web-0 web-1; do labelled $pod; done
for app in db web; do
  kubectl -n shop apply -f - <<YAML
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: $app}
spec: {minAvailable: 1, selector: {matchLabels: {app: $app}}}
YAML
done
wait_for 30 "the budget of web lets one go" is 1 '{.status.disruptionsAllowed}' pdb web -n shop
wait_for 30 "the budget of db counts" is 1 '{.status.currentHealthy}' pdb db -n shop
kubectl delete node old --wait=false
late
