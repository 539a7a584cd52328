# Karpenter was uninstalled before its nodes were deleted. The node does not wait for a budget that
# allows no eviction.
kubectl create namespace shop
node old Ready
kubectl patch node old --type=merge --field-manager=karpenter -p '{"metadata": {"finalizers": ["karpenter.sh/termination"]},
  "spec": {"taints": [{"key": "karpenter.sh/disrupted", "effect": "NoSchedule"}]}}'
pod shop db-0 old 30
kubectl -n shop label pod db-0 app=db
kubectl -n shop patch pod db-0 --subresource=status --type=merge \
  -p "status: {phase: Running, conditions: [$(condition Ready True)]}"
kubectl -n shop apply -f - <<'YAML'
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: db}
spec: {minAvailable: 1, selector: {matchLabels: {app: db}}}
YAML
wait_for 30 "the budget counts" is 1 '{.status.currentHealthy}' pdb db -n shop
kubectl delete node old --wait=false
late
