# An operator skips namespaces that an annotation of its own pauses. This namespace has the
# annotation but is not paused. The operator is scaled to 0.
node worker Ready
crd streams loomstack.dev Stream
operator loom loomstack 0 streams.loomstack.dev
kubectl create namespace team-blue
kubectl annotate namespace team-blue loomstack.dev/reconcile=enabled
object team-blue Stream.v1.loomstack.dev clicks '{partitions: 6}'
finalizer team-blue streams.loomstack.dev clicks loomstack.dev/stream loomstack
kubectl -n team-blue delete streams.loomstack.dev clicks --wait=false
late
