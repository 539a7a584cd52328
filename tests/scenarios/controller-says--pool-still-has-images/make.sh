# A Ceph pool still has images, so Rook does not delete it. Only its log says so (capnslog).
crd cephblockpools ceph.rook.io CephBlockPool
logging rook-ceph rook-ceph-operator cephblockpools.ceph.rook.io
hung 60 rook-ceph CephBlockPool.v1.ceph.rook.io cephblockpools replicapool cephblockpool.ceph.rook.io rook '{replicated: {size: 3}}'
logged rook-ceph "$(pods_of rook-ceph rook-ceph-operator)" manager replicapool <<'LOG'
@log4j.117042 I | ceph-block-pool-controller: deleting pool "replicapool"
@log4j.117951 E | ceph-block-pool-controller: failed to reconcile CephBlockPool "rook-ceph/replicapool". failed to delete pool "replicapool".: failed to delete pool "replicapool": cannot delete the pool because it contains 3 images and 1 snapshot
LOG
