# The agent on each node handles the extents of that node with a driver that is registered there. It
# reports why it cannot release the extent.
node west Ready
crd extents slabstore.dev Extent
agents slab slab-agent extents.slabstore.dev
agents_ready slab slab-agent 1
kubectl apply -f - <<YAML
apiVersion: storage.k8s.io/v1
kind: CSINode
metadata: {name: west}
spec: {drivers: [{name: csi.slabstore.dev, nodeID: west}]}
YAML
kubectl create namespace shop
object shop Extent.v1.slabstore.dev e1 '{nodeName: west, driver: csi.slabstore.dev}'
finalizer shop extents.slabstore.dev e1 slabstore.dev/extent slab-agent
kubectl -n shop delete extents.slabstore.dev e1 --wait=false
says shop extents.slabstore.dev e1 slab-agent \
  "{conditions: [$(condition Released False ReleaseFailed 'cannot discard the extent: device or resource busy')]}"
late
