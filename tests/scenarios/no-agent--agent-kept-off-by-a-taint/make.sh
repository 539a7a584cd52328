# The agent on each node handles the extents of that node. The node of one extent has a taint that
# the DaemonSet does not tolerate.
node west Ready
node east Ready
kubectl taint node east hardware=fpga:NoExecute
crd extents slabstore.dev Extent
agents slab slab-agent extents.slabstore.dev
agents_ready slab slab-agent 1
kubectl create namespace shop
object shop Extent.v1.slabstore.dev e1 '{size: 1Gi}'
kubectl -n shop label extents.slabstore.dev e1 kubernetes.io/hostname=east
finalizer shop extents.slabstore.dev e1 slabstore.dev/extent slab-agent
kubectl -n shop delete extents.slabstore.dev e1 --wait=false
late
