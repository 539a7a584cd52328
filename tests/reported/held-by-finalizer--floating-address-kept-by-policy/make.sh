# A cluster is being deleted: cluster -> control plane -> machine -> the cloud's machine. The
# controller of the last wants to delete its floating IP, but the cloud's policy does not allow that
# to the cluster's account.
node worker Ready
settled worker
# runs NAMESPACE NAME REPLICAS LEASE RESOURCE.GROUP... creates a controller that has run and led for
# days.
runs() {
  local namespace=$1 name=$2 replicas=$3 lease=$4
  shift 4
  operator "$namespace" "$name" "$replicas" "$@"
  [ "$replicas" != 0 ] || return 0
  pods_on worker "$namespace" "$name"
  pods_running_since 7200 "$namespace" "$name"
  leading "$namespace" "$lease" "$(pods_of "$namespace" "$name")_7f21"
}
crd clusters cluster.x-k8s.io Cluster Namespaced v1beta1
crd machines cluster.x-k8s.io Machine Namespaced v1beta1
crd kubeadmcontrolplanes controlplane.cluster.x-k8s.io KubeadmControlPlane Namespaced v1beta1
crd kubeadmconfigs bootstrap.cluster.x-k8s.io KubeadmConfig Namespaced v1beta1
crd openstackclusters infrastructure.cluster.x-k8s.io OpenStackCluster Namespaced v1alpha7
crd openstackmachines infrastructure.cluster.x-k8s.io OpenStackMachine Namespaced v1alpha7
for name in clusters.cluster.x-k8s.io machines.cluster.x-k8s.io kubeadmcontrolplanes.controlplane.cluster.x-k8s.io kubeadmconfigs.bootstrap.cluster.x-k8s.io \
  openstackclusters.infrastructure.cluster.x-k8s.io openstackmachines.infrastructure.cluster.x-k8s.io; do
  kubectl patch crd $name --type=json -p '[{"op": "add", "path": "/spec/versions/0/subresources", "value": {"status": {}}}]'
  old_kind $name
done
runs capi-system capi-controller-manager 1 controller-leader-election-capi clusters.cluster.x-k8s.io machines.cluster.x-k8s.io \
  kubeadmcontrolplanes.controlplane.cluster.x-k8s.io openstackclusters.infrastructure.cluster.x-k8s.io openstackmachines.infrastructure.cluster.x-k8s.io
runs capi-kubeadm-control-plane-system capi-kubeadm-control-plane-controller-manager 1 kubeadm-control-plane-manager-leader-election-capi \
  kubeadmcontrolplanes.controlplane.cluster.x-k8s.io machines.cluster.x-k8s.io openstackmachines.infrastructure.cluster.x-k8s.io
runs capi-kubeadm-bootstrap-system capi-kubeadm-bootstrap-controller-manager 1 kubeadm-bootstrap-manager-leader-election-capi kubeadmconfigs.bootstrap.cluster.x-k8s.io
at=1
[ -z "${TWIN:-}" ] || at=0
runs capo-system capo-controller-manager $at controller-leader-election-capo openstackclusters.infrastructure.cluster.x-k8s.io openstackmachines.infrastructure.cluster.x-k8s.io
kubectl create namespace magnum-system
infra=infrastructure.cluster.x-k8s.io
# made KIND.VERSION.GROUP NAME OWNER FINALIZER SPEC [LABELS] creates a part of a cluster as its
# controller does.
made() {
  local kind=${1%%.*} rest=${1#*.}
  kubectl -n magnum-system create --field-manager=manager -f - <<YAML
apiVersion: ${rest#*.}/${rest%%.*}
kind: $kind
metadata: {name: $2, finalizers: [$4], labels: {cluster.x-k8s.io/cluster-name: $cluster${6:-}}, ownerReferences: [$3]}
spec: $5
YAML
}
# status TYPE NAME STATUS patches the status of an object, as its controller does.
status() { kubectl -n magnum-system patch "$1" "$2" --subresource=status --type=merge --field-manager=manager -p "status: $3"; }
true_() { echo "{type: $1, status: 'True', lastTransitionTime: '$(now)'}"; }
# whole CLUSTER CONTROL-PLANE MACHINE ID creates a cluster with all its parts.
whole() {
  cluster=$1
  object magnum-system Cluster.v1beta1.cluster.x-k8s.io "$1" "{controlPlaneRef: {apiVersion: controlplane.cluster.x-k8s.io/v1beta1, kind: KubeadmControlPlane, name: $2},
    infrastructureRef: {apiVersion: $infra/v1alpha7, kind: OpenStackCluster, name: $2}, controlPlaneEndpoint: {host: 104.18.2.$4, port: 6443}}"
  finalizer magnum-system clusters.cluster.x-k8s.io "$1" cluster.cluster.x-k8s.io manager
  kubectl -n magnum-system create secret generic "$1-cloud-config" --from-literal=clouds.yaml=not-a-real-one
  kubectl -n magnum-system create secret generic "$1-kubeconfig" --from-literal=value=not-a-real-one
  made OpenStackCluster.v1alpha7.$infra "$2" "$(owner clusters.cluster.x-k8s.io "$1" magnum-system)" openstackcluster.$infra \
    "{cloudName: default, identityRef: {kind: Secret, name: $1-cloud-config}, managedSecurityGroups: true, nodeCidr: 10.6.0.0/24, controlPlaneEndpoint: {host: 104.18.2.$4, port: 6443}}"
  status openstackclusters "$2" "{ready: true, network: {id: 5b0d7c1e-00$4, name: k8s-clusterapi-cluster-magnum-system-$1}}"
  made KubeadmControlPlane.v1beta1.controlplane.cluster.x-k8s.io "$2" "$(owner clusters.cluster.x-k8s.io "$1" magnum-system)" kubeadm.controlplane.cluster.x-k8s.io \
    "{replicas: 1, version: v1.27.8, machineTemplate: {infrastructureRef: {apiVersion: $infra/v1alpha7, kind: OpenStackMachineTemplate, name: $2}}}"
  made Machine.v1beta1.cluster.x-k8s.io "$3" "$(owner kubeadmcontrolplanes "$2" magnum-system)" machine.cluster.x-k8s.io \
    "{clusterName: $1, providerID: 'openstack:///0f3b5d7e-00$4', version: v1.27.8, bootstrap: {configRef: {apiVersion: bootstrap.cluster.x-k8s.io/v1beta1, kind: KubeadmConfig, name: $3}, dataSecretName: $3},
      infrastructureRef: {apiVersion: $infra/v1alpha7, kind: OpenStackMachine, name: $3}}" ', cluster.x-k8s.io/control-plane: ""'
  status machines.cluster.x-k8s.io "$3" "{phase: Running, bootstrapReady: true, infrastructureReady: true, nodeRef: {apiVersion: v1, kind: Node, name: $3},
    conditions: [$(true_ Ready), $(true_ BootstrapReady), $(true_ InfrastructureReady), $(true_ NodeHealthy)]}"
  made OpenStackMachine.v1alpha7.$infra "$3" "$(owner machines.cluster.x-k8s.io "$3" magnum-system)" openstackmachine.$infra \
    "{cloudName: default, identityRef: {kind: Secret, name: $1-cloud-config}, flavor: m1.medium, image: ubuntu-2204-kube-v1.27.8, instanceID: 0f3b5d7e-00$4, providerID: 'openstack:///0f3b5d7e-00$4', floatingIP: 104.18.2.$4}"
  status openstackmachines "$3" "{ready: true, instanceState: ACTIVE, conditions: [$(true_ Ready), $(true_ APIServerIngressReadyCondition), $(true_ InstanceReady)]}"
  kubectl -n magnum-system create secret generic "$3" --type=cluster.x-k8s.io/secret --from-literal=value=data
  made KubeadmConfig.v1beta1.bootstrap.cluster.x-k8s.io "$3" "$(owner machines.cluster.x-k8s.io "$3" magnum-system)" '' '{clusterConfiguration: {}}'
}
whole kube-6aqje kube-6aqje-csgft kube-6aqje-csgft-nkz6s 70
whole kube-p2w8x kube-p2w8x-vq7dn kube-p2w8x-vq7dn-4kx9c 71
machine=kube-6aqje-csgft-nkz6s
kubectl -n magnum-system delete clusters.cluster.x-k8s.io kube-6aqje --wait=false
kubectl -n magnum-system delete kubeadmcontrolplanes kube-6aqje-csgft --wait=false
kubectl -n magnum-system delete machines.cluster.x-k8s.io $machine --wait=false
kubectl -n magnum-system delete openstackmachines $machine --wait=false
# false_ TYPE REASON SEVERITY MESSAGE prints a condition with status False.
false_() { echo "{type: '$1', status: 'False', reason: '$2', severity: $3, message: \"$4\", lastTransitionTime: '$(now)'}"; }
why='Deleting floating IP failed: Request forbidden: [DELETE https://os2.example.com:9696/v2.0/floatingips/492b2c4c-151b-437e-acfc-4778a45cb9bf], error message: {\"NeutronError\": {\"type\": \"PolicyNotAuthorized\", \"message\": \"rule:delete_floatingip is disallowed by policy\", \"detail\": \"\"}}'
if [ -z "${TWIN:-}" ]; then
  status openstackmachines $machine "{conditions: [$(false_ Ready FloatingIPError Error "$why"), $(false_ APIServerIngressReadyCondition FloatingIPError Error "$why"), $(true_ InstanceReady)]}"
  status machines.cluster.x-k8s.io $machine "{phase: Deleting, conditions: [$(false_ Ready FloatingIPError Error "$why"), $(true_ BootstrapReady), $(true_ DrainingSucceeded),
    $(false_ InfrastructureReady FloatingIPError Error "$why"), $(false_ NodeHealthy Deleting Info ''), $(true_ PreDrainDeleteHookSucceeded), $(true_ VolumeDetachSucceeded)]}"
  status kubeadmcontrolplanes kube-6aqje-csgft "{conditions: [$(false_ Ready "FloatingIPError @ Machine/$machine" Error "$why"), $(true_ Available),
    $(true_ CertificatesAvailable), $(false_ MachinesReady "FloatingIPError @ Machine/$machine" Error "$why"), $(false_ Resized Deleting Info '')]}"
else
  status machines.cluster.x-k8s.io $machine "{phase: Deleting, conditions: [$(false_ Ready Deleting Info ''), $(true_ BootstrapReady), $(true_ DrainingSucceeded),
    $(true_ InfrastructureReady), $(false_ NodeHealthy Deleting Info ''), $(true_ PreDrainDeleteHookSucceeded), $(true_ VolumeDetachSucceeded)]}"
  status kubeadmcontrolplanes kube-6aqje-csgft "{conditions: [$(false_ Ready "Deleting @ Machine/$machine" Info ''), $(true_ Available), $(true_ CertificatesAvailable),
    $(false_ MachinesReady "Deleting @ Machine/$machine" Info ''), $(false_ Resized Deleting Info '')]}"
fi
status clusters.cluster.x-k8s.io kube-6aqje "{phase: Deleting, controlPlaneReady: true, infrastructureReady: true, conditions: [$(false_ Ready Deleting Info ''),
  $(false_ ControlPlaneReady Deleting Info ''), $(true_ InfrastructureReady), $(true_ ControlPlaneInitialized)]}"
late
aged 2900 /registry/cluster.x-k8s.io/clusters/magnum-system/kube-6aqje clusters.cluster.x-k8s.io kube-6aqje -n magnum-system
aged 2899 /registry/controlplane.cluster.x-k8s.io/kubeadmcontrolplanes/magnum-system/kube-6aqje-csgft kubeadmcontrolplanes kube-6aqje-csgft -n magnum-system
aged 2899 /registry/cluster.x-k8s.io/machines/magnum-system/$machine machines.cluster.x-k8s.io $machine -n magnum-system
aged 2898 /registry/$infra/openstackmachines/magnum-system/$machine openstackmachines $machine -n magnum-system
if [ -z "${TWIN:-}" ]; then
  event magnum-system openstackmachines $machine Faileddeletefloatingip "Failed to delete floating IP 104.18.2.70: ${why#*failed: }" openstack-controller
fi
