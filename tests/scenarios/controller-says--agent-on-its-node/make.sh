# The agent on each node handles the extents of that node. The agent on the extent's node runs and
# reports why it cannot release the extent. The node of another extent is gone.
node west Ready
crd extents slabstore.dev Extent
agents slab slab-agent extents.slabstore.dev
agents_ready slab slab-agent 1
kubectl create namespace shop
object shop Extent.v1.slabstore.dev e1 '{nodeName: west}'
object shop Extent.v1.slabstore.dev e2 '{nodeName: east}'
finalizer shop extents.slabstore.dev e1 slabstore.dev/extent slab-agent
finalizer shop extents.slabstore.dev e2 slabstore.dev/extent slab-agent
kubectl -n shop delete extents.slabstore.dev e1 --wait=false
says shop extents.slabstore.dev e1 slab-agent \
  "{conditions: [$(condition Released False ReleaseFailed 'cannot discard the extent: device or resource busy')]}"
late
