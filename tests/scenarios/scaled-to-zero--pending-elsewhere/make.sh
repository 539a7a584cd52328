# An operator is at zero. Its finalizer on the target is harmless, but a started operator would also
# finish the deletion of a pool in another namespace and so delete the pool's data.
crd gadgets ceph.rook.io Gadget
crd cephblockpools ceph.rook.io CephBlockPool
operator rook-ceph rook-ceph-operator 0 gadgets.ceph.rook.io cephblockpools.ceph.rook.io
kubectl create namespace shop
kubectl create namespace data
object shop Gadget.v1.ceph.rook.io orders
finalizer shop gadgets orders ceph.rook.io/gadget rook-ceph-operator
object data CephBlockPool.v1.ceph.rook.io customers
finalizer data cephblockpools customers cephblockpool.ceph.rook.io rook-ceph-operator
kubectl -n data delete cephblockpool customers --wait=false
delete_namespace shop
