# A volume was cloned from a snapshot. It names the snapshot after the parent volume, as the pool does: PARENT@SNAPSHOT.
node worker Ready
settled worker
crd poolvolumes burrow.example PoolVolume
crd poolsnapshots burrow.example PoolSnapshot
works 600 burrow burrow-agent poolvolumes.burrow.example poolsnapshots.burrow.example
object burrow PoolVolume.v1.burrow.example pvc-1d2e3f40 '{poolName: tank}'
object burrow PoolVolume.v1.burrow.example pvc-99aa88bb "{poolName: tank, snapname: 'pvc-1d2e3f40@${FROM:-snap-7f21c0de}'}"
object burrow PoolSnapshot.v1.burrow.example snap-7f21c0de '{poolName: tank}'
object burrow PoolSnapshot.v1.burrow.example snap-5e5e0001 '{poolName: tank}'
finalizer burrow poolsnapshots.burrow.example snap-7f21c0de burrow.example/finalizer burrow-agent
kubectl -n burrow label poolsnapshots.burrow.example snap-7f21c0de snap-5e5e0001 burrow.example/persistent-volume=pvc-1d2e3f40
kubectl -n burrow delete poolsnapshots.burrow.example snap-7f21c0de --wait=false
aged 30 /registry/burrow.example/poolsnapshots/burrow/snap-7f21c0de poolsnapshots.burrow.example snap-7f21c0de -n burrow
