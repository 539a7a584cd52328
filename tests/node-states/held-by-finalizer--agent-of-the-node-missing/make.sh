# The agent on each node handles the extents of that node. One node has a taint that the DaemonSet
# does not tolerate, and its agent was evicted.
node alive Ready
crd extents slabstore.dev Extent
agents slab slab-agent extents.slabstore.dev
kubectl -n slab patch daemonset slab-agent -p "spec: {template: {spec: {terminationGracePeriodSeconds: 2,
  containers: [{name: agent, $(container obey 1)}]}}}"
kubectl -n slab rollout status daemonset slab-agent --timeout=1s || true
on_worker() {
  kubectl -n slab get pods -l app.kubernetes.io/name=slab-agent -o json |
    sed -n 's/.*"name": "\(slab-agent-[a-z0-9]*\)".*/\1/p' | sort -u
}
bound() {
  local pod node
  for pod in $(on_worker); do
    node=$(kubectl -n slab get pod "$pod" -o jsonpath='{.spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchFields[0].values[0]}')
    kubectl create --raw "/api/v1/namespaces/slab/pods/$pod/binding" -f - <<JSON || true
{"apiVersion": "v1", "kind": "Binding", "metadata": {"name": "$pod", "namespace": "slab"},
 "target": {"apiVersion": "v1", "kind": "Node", "name": "$node"}}
JSON
  done
  test -n "$(kubectl -n slab get pods --field-selector spec.nodeName=worker,status.phase=Running -o name)"
}
wait_for 60 "the agent runs on the node" bound
kubectl taint node worker hardware=fpga:NoExecute
evicted() { test -z "$(kubectl -n slab get pods --field-selector spec.nodeName=worker -o name)"; }
wait_for 60 "the agent is evicted" evicted
for pod in $(on_worker); do
  kubectl -n slab patch pod "$pod" --subresource=status --type=merge \
    -p "status: {phase: Running, conditions: [$(condition Ready True)]}"
done
kubectl create namespace shop
object shop Extent.v1.slabstore.dev e1 '{size: 1Gi}'
kubectl -n shop label extents.slabstore.dev e1 kubernetes.io/hostname=worker
finalizer shop extents.slabstore.dev e1 slabstore.dev/extent slab-agent
kubectl -n shop delete extents.slabstore.dev e1 --wait=false
late
