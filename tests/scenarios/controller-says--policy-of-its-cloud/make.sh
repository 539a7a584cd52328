# A cloud does not let a controller delete a server. Only its log says so: the answer is JSON within the
# error (klog).
crd openstackservers infrastructure.cluster.x-k8s.io OpenStackServer Namespaced v1alpha1
logging capo-system capo-controller-manager openstackservers.infrastructure.cluster.x-k8s.io
hung 60 edge OpenStackServer.v1alpha1.infrastructure.cluster.x-k8s.io openstackservers bastion openstackserver.infrastructure.cluster.x-k8s.io manager '{flavor: m1.small}'
logged capo-system "$(pods_of capo-system capo-controller-manager)" manager bastion <<'LOG'
E@klog       1 controller.go:316] "Reconciler error" err="delete server: Expected HTTP response code [202 204] when accessing [DELETE https://nova.example.com/v2.1/servers/5b1c7d2e], but got 403 instead: {\"forbidden\": {\"code\": 403, \"message\": \"Policy doesn't allow os_compute_api:servers:delete to be performed.\"}}" controller="openstackserver" controllerGroup="infrastructure.cluster.x-k8s.io" controllerKind="OpenStackServer" OpenStackServer="edge/bastion" namespace="edge" name="bastion" reconcileID="a0b1c2d3-e4f5-4678-89ab-cdef01234567"
LOG
