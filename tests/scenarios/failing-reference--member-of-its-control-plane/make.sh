# A machine waits until its etcd member is removed. Its control plane reports that a member cannot be
# reached. (Its replicas are not all Ready, which is no reason.)
served_by worker
node cp-1 NotReady
node cp-2 Ready
node cp-3 Ready
settled cp-2 cp-3
for n in 1 2 3; do kubectl label node cp-$n node-role.kubernetes.io/control-plane=true; done
crd machines fleet.larch.example Machine
crd controlplanes fleet.larch.example ControlPlane
works 600 larch larch-machines machines.fleet.larch.example
works 600 larch larch-controlplane controlplanes.fleet.larch.example machines.fleet.larch.example
namespace fleet
object fleet ControlPlane.v1.fleet.larch.example main '{replicas: 3}'
finalizer fleet controlplanes.fleet.larch.example main larch.example/controlplane larch-controlplane
uid=$(kubectl -n fleet get controlplanes.fleet.larch.example main -o jsonpath='{.metadata.uid}')
for n in 1 2 3; do
  object fleet Machine.v1.fleet.larch.example cp-$n "{clusterName: main, providerID: larch://cp-$n}"
  kubectl -n fleet patch machines.fleet.larch.example cp-$n --type=merge --field-manager=larch-controlplane -p "metadata: {ownerReferences: [{apiVersion: fleet.larch.example/v1, kind: ControlPlane, name: main, uid: $uid, controller: true, blockOwnerDeletion: true}]}"
  kubectl -n fleet patch machines.fleet.larch.example cp-$n --type=merge --field-manager=larch-controlplane -p "metadata: {finalizers: [larch.example/etcd-member]}"
  says fleet machines.fleet.larch.example cp-$n larch-machines "{nodeRef: {kind: Node, name: cp-$n}, phase: Running}"
done
etcd=$(condition EtcdClusterHealthy False EtcdClusterUnhealthy 'cp-1 reports an error: etcd member status is unreachable')
[ -z "${TWIN:-}" ] || etcd=$(condition EtcdClusterHealthy True EtcdClusterHealthy '')
says fleet controlplanes.fleet.larch.example main larch-controlplane "{conditions: [$(condition MachinesReady False NotAllReady '2 of 3 machines failed'), $etcd]}"
deleted 50 machines.fleet.larch.example cp-3 fleet
