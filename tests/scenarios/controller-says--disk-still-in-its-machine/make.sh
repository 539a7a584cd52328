# A cloud keeps a machine because the disk of a volume is still in it. Only the log of the machine's
# controller says so (klog, with an error on several lines).
crd vcdmachines infrastructure.cluster.x-k8s.io VCDMachine Namespaced v1beta2
logging capvcd-system capvcd-controller-manager vcdmachines.infrastructure.cluster.x-k8s.io
hung 60 tenant VCDMachine.v1beta2.infrastructure.cluster.x-k8s.io vcdmachines east-md-0-8hxjd vcdmachine.infrastructure.cluster.x-k8s.io manager \
  '{providerID: "vmware-cloud-director://urn:vcloud:vm:5d1f0c6e-9c1b-4e0a-8b3f-7a6c5d4e3f21"}'
logged capvcd-system "$(pods_of capvcd-system capvcd-controller-manager)" manager east-md-0-8hxjd <<'LOG'
E@klog       1 controller.go:324] "Reconciler error" err=<
	error deleting VM [east-md-0-8hxjd] of machine [tenant/east-md-0-8hxjd]:
	error deleting VM: the disk [pvc-3b1a7f0c] is still attached to the VM; detach it first
 > controller="vcdmachine" controllerGroup="infrastructure.cluster.x-k8s.io" controllerKind="VCDMachine" VCDMachine="tenant/east-md-0-8hxjd" namespace="tenant" name="east-md-0-8hxjd" reconcileID="3c9d0e1f-6a7b-4c8d-9e0f-1a2b3c4d5e6f"
LOG
