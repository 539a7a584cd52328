# A node is being drained for good, and a budget allows no eviction. A second budget allows one.
kubectl create namespace shop
for pod in db-0 web-0 web-1; do
  real_pod shop $pod 5 "$(container obey 1)"
  kubectl -n shop label pod $pod app=${pod%-*}
done
for app in db web; do
  kubectl -n shop apply -f - <<YAML
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: $app}
spec: {minAvailable: 1, selector: {matchLabels: {app: $app}}}
YAML
done
for pod in db-0 web-0 web-1; do runs shop $pod; done
wait_for 30 "the budget of web lets one go" is 1 '{.status.disruptionsAllowed}' pdb web -n shop
wait_for 30 "the budget of db counts" is 1 '{.status.currentHealthy}' pdb db -n shop
node alive Ready
operator karpenter karpenter 1 nodes.
pods_ready karpenter karpenter alive
kubectl patch node worker --type=merge --field-manager=karpenter -p '{"metadata": {"finalizers": ["karpenter.sh/termination"]},
  "spec": {"taints": [{"key": "karpenter.sh/disrupted", "effect": "NoSchedule"}]}}'
kubectl delete node worker --wait=false
late
