# A cluster is being deleted, so its node is not drained. Its machine's virtual machine still has
# the disk of a volume, which only the storage driver inside that cluster detaches. Until then the
# controller does not delete the virtual machine. It says so in its log and in the cloud, but its
# status says only "Deleting".
kubelet
node_with_kubelet worker
settled worker
for of in clusters/Cluster machinesets/MachineSet machines/Machine; do crd ${of%/*} cluster.x-k8s.io ${of#*/} Namespaced v1beta1; done
crd vcdclusters infrastructure.cluster.x-k8s.io VCDCluster Namespaced v1beta2
crd vcdmachines infrastructure.cluster.x-k8s.io VCDMachine Namespaced v1beta2
leads capi-system capi-controller-manager controller-leader-election-capi 1 clusters.cluster.x-k8s.io machines.cluster.x-k8s.io machinesets.cluster.x-k8s.io
kubectl patch clusterrole capi-system-capi-controller-manager --type=json -p '[{"op": "add", "path": "/rules/-", "value":
  {"apiGroups": ["infrastructure.cluster.x-k8s.io", "bootstrap.cluster.x-k8s.io"], "resources": ["*"], "verbs": ["get", "list", "watch", "create", "update", "patch", "delete"]}}]'
leads capvcd-system capvcd-controller-manager capvcd-controller-manager-leader-election 0 vcdclusters.infrastructure.cluster.x-k8s.io vcdmachines.infrastructure.cluster.x-k8s.io
# As in the provider's own manifests: the process has another name than the Deployment.
kubectl -n capvcd-system patch deployment capvcd-controller-manager --type=strategic -p 'metadata: {labels: {cluster.x-k8s.io/provider: infrastructure-vcd, control-plane: controller-manager}}
spec: {template: {metadata: {labels: {cluster.x-k8s.io/provider: infrastructure-vcd, control-plane: controller-manager}}, spec: {containers: [
  {name: manager, image: "projects.registry.vmware.com/vmware-cloud-director/cluster-api-provider-cloud-director:v1.4.0", command: [/opt/vcloud/bin/cluster-api-provider-cloud-director]}]}}}'
if [ -z "${TWIN:-}" ]; then
  kubectl -n capvcd-system scale deployment capvcd-controller-manager --replicas=1
  pods_on worker capvcd-system capvcd-controller-manager
  pods_running_since 600 capvcd-system capvcd-controller-manager
  leading capvcd-system capvcd-controller-manager-leader-election "$(pods_of capvcd-system capvcd-controller-manager)_4c1e6a0b"
fi
kubectl create namespace tenant
# cluster NAME creates a cluster with one machine and its infrastructure.
cluster() {
  object tenant Cluster.v1beta1.cluster.x-k8s.io "$1" "{infrastructureRef: {apiVersion: infrastructure.cluster.x-k8s.io/v1beta2, kind: VCDCluster, name: $1}}"
  kubectl -n tenant apply -f - <<YAML
apiVersion: infrastructure.cluster.x-k8s.io/v1beta2
kind: VCDCluster
metadata: {name: $1, labels: {cluster.x-k8s.io/cluster-name: $1}, ownerReferences: [$(owner clusters.cluster.x-k8s.io "$1" tenant)]}
spec: {site: "https://vcd.example.com", org: acme, ovdc: acme-ovdc, ovdcNetwork: acme-net}
status: {ready: true, infraId: "urn:vcloud:entity:vmware:capvcdCluster:4f0e"}
---
apiVersion: cluster.x-k8s.io/v1beta1
kind: MachineSet
metadata: {name: $1-md-0-6f9b, labels: {cluster.x-k8s.io/cluster-name: $1}}
spec: {clusterName: $1, replicas: 1}
YAML
  kubectl -n tenant apply --field-manager=manager -f - <<YAML
apiVersion: cluster.x-k8s.io/v1beta1
kind: Machine
metadata: {name: $1-md-0-6f9b-x2lqz, labels: {cluster.x-k8s.io/cluster-name: $1}, ownerReferences: [$(owner machinesets.cluster.x-k8s.io "$1-md-0-6f9b" tenant)]}
spec:
  clusterName: $1
  bootstrap: {dataSecretName: $1-md-0-kq7d}
  infrastructureRef: {apiVersion: infrastructure.cluster.x-k8s.io/v1beta2, kind: VCDMachine, name: $1-md-0-8hxjd}
  providerID: "vmware-cloud-director://urn:vcloud:vm:0c2b"
status: {nodeRef: {apiVersion: v1, kind: Node, name: $1-md-0-6f9b-x2lqz}, phase: Running, infrastructureReady: true, bootstrapReady: true}
YAML
  kubectl -n tenant apply --field-manager=cluster-api-provider-cloud-director -f - <<YAML
apiVersion: infrastructure.cluster.x-k8s.io/v1beta2
kind: VCDMachine
metadata: {name: $1-md-0-8hxjd, labels: {cluster.x-k8s.io/cluster-name: $1}, ownerReferences: [$(owner machines.cluster.x-k8s.io "$1-md-0-6f9b-x2lqz" tenant)]}
spec: {catalog: cse, template: ubuntu-2004-kube-v1.26, providerID: "vmware-cloud-director://urn:vcloud:vm:0c2b"}
status: {ready: true, providerID: "vmware-cloud-director://urn:vcloud:vm:0c2b"}
YAML
  kubectl -n tenant create secret generic "$1-md-0-kq7d" --type=cluster.x-k8s.io/secret --from-literal=value=data
  finalizer tenant clusters.cluster.x-k8s.io "$1" cluster.cluster.x-k8s.io manager
  finalizer tenant machines.cluster.x-k8s.io "$1-md-0-6f9b-x2lqz" machine.cluster.x-k8s.io manager
  finalizer tenant vcdclusters "$1" vcdcluster.infrastructure.cluster.x-k8s.io cluster-api-provider-cloud-director
  finalizer tenant vcdmachines "$1-md-0-8hxjd" vcdmachine.infrastructure.cluster.x-k8s.io cluster-api-provider-cloud-director
}
cluster east
cluster west
kubectl -n tenant delete clusters.cluster.x-k8s.io east --wait=false
says tenant clusters.cluster.x-k8s.io east manager "{phase: Deleting, conditions: [
  {type: Ready, status: 'True', lastTransitionTime: '$(now)'}, {type: ControlPlaneReady, status: 'True', lastTransitionTime: '$(now)'},
  {type: InfrastructureReady, status: 'True', lastTransitionTime: '$(now)'}]}"
# Cluster API deletes these, in its order.
kubectl -n tenant delete machinesets.cluster.x-k8s.io east-md-0-6f9b --wait=false
going() { test -n "$(kubectl -n tenant get machines.cluster.x-k8s.io east-md-0-6f9b-x2lqz -o jsonpath='{.metadata.deletionTimestamp}')"; }
wait_for 30 "the machine goes with its set" going
kubectl -n tenant delete vcdmachines east-md-0-8hxjd --wait=false
info="severity: Info, reason: Deleting, lastTransitionTime: '$(now)'"
says tenant machines.cluster.x-k8s.io east-md-0-6f9b-x2lqz manager "{phase: Deleting, conditions: [
  {type: Ready, status: 'False', $info}, {type: BootstrapReady, status: 'True', lastTransitionTime: '$(now)'},
  {type: InfrastructureReady, status: 'False', $info}, {type: PreDrainDeleteHookSucceeded, status: 'True', lastTransitionTime: '$(now)'},
  {type: PreTerminateDeleteHookSucceeded, status: 'True', lastTransitionTime: '$(now)'}]}"
says tenant vcdmachines east-md-0-8hxjd cluster-api-provider-cloud-director "{conditions: [
  {type: Ready, status: 'False', $info}, {type: BootstrapExecSucceeded, status: 'True', lastTransitionTime: '$(now)'},
  {type: ContainerProvisioned, status: 'False', $info}]}"
late
aged 130 /registry/cluster.x-k8s.io/clusters/tenant/east clusters.cluster.x-k8s.io east -n tenant
aged 130 /registry/cluster.x-k8s.io/machines/tenant/east-md-0-6f9b-x2lqz machines.cluster.x-k8s.io east-md-0-6f9b-x2lqz -n tenant
aged 130 /registry/infrastructure.cluster.x-k8s.io/vcdmachines/tenant/east-md-0-8hxjd vcdmachines east-md-0-8hxjd -n tenant
if [ -z "${TWIN:-}" ]; then
  pod=$(pods_of capvcd-system capvcd-controller-manager)
  log capvcd-system "$pod" manager "I$(date -u +%m%d) 10:02:11.407 \"Reconciling VCDMachine\" VCDMachine=\"tenant/west-md-0-8hxjd\" cluster=\"west\""
  for try in 1 2 3; do
    log capvcd-system "$pod" manager "I$(date -u +%m%d) 10:04:31.118 \"Cannot delete VM until named disk is detached from VM (by CSI)\" VCDMachine=\"tenant/east-md-0-8hxjd\" machine=\"east-md-0-6f9b-x2lqz\" cluster=\"east\" vm=\"east-md-0-6f9b-x2lqz\" disk=\"pvc-3c8e1d52\""
    log capvcd-system "$pod" manager "E$(date -u +%m%d) 10:04:31.912 \"Reconciler error\" err=\"error deleting VM [east-md-0-6f9b-x2lqz] since named disk [pvc-3c8e1d52] is attached to VM (by CSI)\" controller=\"vcdmachine\" controllerKind=\"VCDMachine\" VCDMachine=\"tenant/east-md-0-8hxjd\" namespace=\"tenant\" name=\"east-md-0-8hxjd\""
  done
fi
