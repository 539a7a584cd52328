# A group of subnets is in use by a cluster. Only the operator's log says so, and names the cluster, which
# exists (controller-runtime, JSON).
crd subnetgroups terrane.example SubnetGroup
crd clusters terrane.example Cluster
logging terrane terrane-operator subnetgroups.terrane.example clusters.terrane.example
namespace net
object net Cluster.v1.terrane.example orders '{size: 3}'
object net Cluster.v1.terrane.example carts '{size: 3}'
hung 5 net SubnetGroup.v1.terrane.example subnetgroups blue terrane.example/subnets terrane-operator '{zones: [a, b]}'
logged terrane "$(pods_of terrane terrane-operator)" manager blue <<'LOG'
{"level":"error","ts":"@iso","msg":"Reconciler error","controller":"subnetgroup","controllerGroup":"terrane.example","controllerKind":"SubnetGroup","SubnetGroup":{"name":"blue","namespace":"net"},"namespace":"net","name":"blue","reconcileID":"2a3b4c5d-6e7f-4a8b-8c9d-0e1f2a3b4c5d","error":"cannot delete the subnets: still used by Cluster net/orders"}
LOG
