# Nothing uses a flavor any more. Its controller runs and gives no reason.
node worker Ready
crd flavors queues.example Flavor Cluster
crd poolqueues queues.example PoolQueue Cluster
operator ops queue-manager 1 flavors.queues.example poolqueues.queues.example
pods_ready ops queue-manager
leading ops queue-manager-leader queue-manager-7c9f_1
object "" Flavor.v1.queues.example spot
finalizer "" flavors.queues.example spot queues.example/keep queue-manager
object "" PoolQueue.v1.queues.example team-b '{groups: [{covers: [cpu], flavors: [{name: reserved}]}]}'
object "" PoolQueue.v1.queues.example spot '{}'
kubectl delete flavors.queues.example spot --wait=false
aged 30 /registry/queues.example/flavors/spot flavors.queues.example spot
pods_running_since 300 ops queue-manager
