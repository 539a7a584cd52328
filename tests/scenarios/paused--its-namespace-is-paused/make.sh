# An operator skips namespaces that an annotation of its own pauses.
node worker Ready
crd streams loomstack.dev Stream
operator loom loomstack 1 streams.loomstack.dev
pods_ready loom loomstack
kubectl create namespace team-blue
kubectl annotate namespace team-blue loomstack.dev/reconcile=paused
object team-blue Stream.v1.loomstack.dev clicks '{partitions: 6}'
finalizer team-blue streams.loomstack.dev clicks loomstack.dev/stream loomstack
kubectl -n team-blue delete streams.loomstack.dev clicks --wait=false
late
