# A webhook denies what a controller changes in another object. Only its log says so (klog). The webhook
# is well, and nothing else tells of it.
crd capiclusters turtles-capi.cattle.io CAPICluster Namespaced v1alpha1
logging rancher-turtles-system rancher-turtles-controller-manager capiclusters.turtles-capi.cattle.io
hung 5 fleet CAPICluster.v1alpha1.turtles-capi.cattle.io capiclusters quickstart turtles-capi.cattle.io/rancher-cluster manager '{type: vsphere}'
logged rancher-turtles-system "$(pods_of rancher-turtles-system rancher-turtles-controller-manager)" manager quickstart <<'LOG'
E@klog       1 controller.go:324] "Reconciler error" err="error reconciling the deletion: patch namespace fleet: admission webhook \"rancher.cattle.io.namespaces\" denied the request: Unauthorized: missing permission updatepsa on projects" controller="capicluster" controllerGroup="turtles-capi.cattle.io" controllerKind="CAPICluster" CAPICluster="fleet/quickstart" namespace="fleet" name="quickstart" reconcileID="0e1f2a3b-4c5d-4e6f-8a7b-8c9d0e1f2a3b"
LOG
