# An operator refuses a deletion on purpose: pools with data still depend on the cluster.
node worker Ready
for kind in CephCluster CephBlockPool CephFilesystem; do crd "${kind,,}s" ceph.rook.io $kind; done
operator rook-ceph rook-ceph-operator 1 \
  cephclusters.ceph.rook.io cephblockpools.ceph.rook.io cephfilesystems.ceph.rook.io
pods_ready rook-ceph rook-ceph-operator
object rook-ceph CephCluster.v1.ceph.rook.io rook-ceph
for pool in builtin-mgr replicapool; do
  object rook-ceph CephBlockPool.v1.ceph.rook.io $pool '{replicated: {size: 3}}'
  finalizer rook-ceph cephblockpools $pool cephblockpool.ceph.rook.io rook
done
finalizer rook-ceph cephclusters rook-ceph cephcluster.ceph.rook.io rook
kubectl -n rook-ceph delete cephcluster rook-ceph --wait=false
refusal='CephCluster "rook-ceph/rook-ceph" will not be deleted until all dependents are removed:'
says rook-ceph cephcluster rook-ceph rook "{phase: Deleting, conditions: [
  $(condition DeletionIsBlocked True ObjectHasDependents "$refusal CephBlockPool: [builtin-mgr replicapool]")]}"
late
