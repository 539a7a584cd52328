# The agent on each node handles the extents of that node. The node of one extent is gone, and the
# agent on another node runs.
node west Ready
crd extents slabstore.dev Extent
agents slab slab-agent extents.slabstore.dev
agents_ready slab slab-agent 1
kubectl create namespace shop
object shop Extent.v1.slabstore.dev e1 '{nodeName: east}'
object shop Extent.v1.slabstore.dev e2 '{nodeName: west}'
finalizer shop extents.slabstore.dev e1 slabstore.dev/extent slab-agent
finalizer shop extents.slabstore.dev e2 slabstore.dev/extent slab-agent
kubectl -n shop delete extents.slabstore.dev e1 --wait=false
late
