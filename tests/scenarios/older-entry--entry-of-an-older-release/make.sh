# Since an update the operator uses a different finalizer and removes only that one.
node worker Ready
settled worker
crd pools nets.example Pool Cluster
old_kind pools.nets.example
works 900 nets nets-operator pools.nets.example
pool() {
  kubectl apply --server-side --field-manager="$3" -f - <<YAML
apiVersion: nets.example/v1
kind: Pool
metadata: {name: $1, finalizers: ["$2"]}
YAML
}
pool first cidr.nets.example nets-operator
pool second pool.nets.example "${AUDITOR:-nets-operator}"
pool third pool.nets.example "${AUDITOR:-nets-operator}"
kubectl delete pools.nets.example first --wait=false
late
aged 30 /registry/nets.example/pools/first pools.nets.example first
