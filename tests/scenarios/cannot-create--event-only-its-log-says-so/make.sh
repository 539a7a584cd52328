# A controller wants to create an Event in a namespace that is going before it takes its entry off. Nothing
# can be created there any more, which only its log says (kube-rs).
crd clusters cluster.x-k8s.io Cluster Namespaced v1beta1
logging caapf-system caapf-controller-manager clusters.cluster.x-k8s.io
kubectl create namespace team-a
object team-a Cluster.v1beta1.cluster.x-k8s.io cluster1 '{clusterNetwork: {pods: {cidrBlocks: [192.168.0.0/16]}}}'
finalizer team-a clusters.cluster.x-k8s.io cluster1 fleet.addons.cluster.x-k8s.io caapf
furnished team-a
delete_namespace team-a
aged 60 /registry/cluster.x-k8s.io/clusters/team-a/cluster1 clusters.cluster.x-k8s.io cluster1 -n team-a
logged caapf-system "$(pods_of caapf-system caapf-controller-manager)" manager cluster1 <<'LOG'
@iso ERROR reconciling object{object.ref=Cluster.v1beta1.cluster.x-k8s.io/cluster1.team-a object.reason=object updated}: kube_runtime::controller: failed with error event publishing error: ApiError: events.events.k8s.io "cluster1.18a1f3c2" is forbidden: unable to create new content in namespace team-a because it is being terminated: Forbidden (ErrorResponse { status: "Failure", code: 403 })
LOG
