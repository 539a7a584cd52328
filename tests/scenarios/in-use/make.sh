# A queue of the same product uses a flavor. The flavor's controller runs and waits until nothing
# uses it, but does not report that. Another queue uses another flavor.
node worker Ready
crd flavors queues.example Flavor Cluster
crd poolqueues queues.example PoolQueue Cluster
operator ops queue-manager 1 flavors.queues.example poolqueues.queues.example
pods_ready ops queue-manager
leading ops queue-manager-leader queue-manager-7c9f_1
object "" Flavor.v1.queues.example spot
finalizer "" flavors.queues.example spot queues.example/keep queue-manager
object "" PoolQueue.v1.queues.example team-a '{groups: [{covers: [cpu], flavors: [{name: spot}]}]}'
object "" PoolQueue.v1.queues.example team-b '{groups: [{covers: [cpu], flavors: [{name: reserved}]}]}'
object "" PoolQueue.v1.queues.example spot '{}'
kubectl delete flavors.queues.example spot --wait=false
aged 30 /registry/queues.example/flavors/spot flavors.queues.example spot
pods_running_since 300 ops queue-manager
