# The agent of each node removes its own finalizer. The node of the last finalizer has left the
# cluster.
node worker Ready
node worker-0 Ready
settled worker worker-0
crd pools disks.wren.example DiskPool Cluster
old_kind pools.disks.wren.example
agents wren wren-agent pools.disks.wren.example
agents_ready wren wren-agent 2
pool() {
  kubectl apply --server-side --field-manager=wren-agent -f - <<YAML
apiVersion: disks.wren.example/v1
kind: DiskPool
metadata: {name: $1, finalizers: ["$2"]}
YAML
}
pool fast release.node.disks.wren.example/worker-2
pool slow release.node.disks.wren.example/worker-0
kubectl delete pools.disks.wren.example "${GOES:-fast}" --wait=false
late
aged 30 "/registry/disks.wren.example/pools/${GOES:-fast}" pools.disks.wren.example "${GOES:-fast}"
