# A control plane was scaled down, and then its cluster was deleted. The deleted machine has a hook,
# which its controller removes when the node has left etcd. To check that, it calls the API of the
# cluster, which is gone with the other machines. Its log says that the API cannot be reached.
# Cluster -> control plane -> machine -> hook.
kubelet
node_with_kubelet worker
settled worker
for of in clusters/Cluster machines/Machine; do crd ${of%/*} cluster.x-k8s.io ${of#*/} Namespaced v1beta1; done
crd kthreescontrolplanes controlplane.cluster.x-k8s.io KThreesControlPlane Namespaced v1beta2
crd kthreesconfigs bootstrap.cluster.x-k8s.io KThreesConfig Namespaced v1beta2
for of in dockerclusters/DockerCluster dockermachines/DockerMachine; do crd ${of%/*} infrastructure.cluster.x-k8s.io ${of#*/} Namespaced v1beta1; done
leads capi-system capi-controller-manager controller-leader-election-capi 1 clusters.cluster.x-k8s.io machines.cluster.x-k8s.io
leads capi-k3s-control-plane-system capi-k3s-control-plane-controller-manager 148fa072.controlplane.cluster.x-k8s.io 1 \
  kthreescontrolplanes.controlplane.cluster.x-k8s.io machines.cluster.x-k8s.io
leads capi-k3s-bootstrap-system capi-k3s-bootstrap-controller-manager ec30eb02.bootstrap.cluster.x-k8s.io 1 kthreesconfigs.bootstrap.cluster.x-k8s.io
leads capd-system capd-controller-manager controller-leader-election-capd "${AT:-1}" dockerclusters.infrastructure.cluster.x-k8s.io dockermachines.infrastructure.cluster.x-k8s.io
kubectl create namespace edge
# cluster NAME MACHINE creates a cluster whose control plane has one machine left.
cluster() {
  object edge Cluster.v1beta1.cluster.x-k8s.io "$1" "{controlPlaneRef: {apiVersion: controlplane.cluster.x-k8s.io/v1beta2, kind: KThreesControlPlane, name: $1-cp},
    infrastructureRef: {apiVersion: infrastructure.cluster.x-k8s.io/v1beta1, kind: DockerCluster, name: $1}}"
  kubectl -n edge create secret generic "$1-kubeconfig" --from-literal=value=not-a-real-one
  kubectl -n edge apply --field-manager=manager -f - <<YAML
apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
kind: DockerCluster
metadata: {name: $1, labels: {cluster.x-k8s.io/cluster-name: $1}, ownerReferences: [$(owner clusters.cluster.x-k8s.io "$1" edge)]}
spec: {controlPlaneEndpoint: {host: 172.18.0.3, port: 6443}}
status: {ready: true}
---
apiVersion: controlplane.cluster.x-k8s.io/v1beta2
kind: KThreesControlPlane
metadata: {name: $1-cp, labels: {cluster.x-k8s.io/cluster-name: $1}, ownerReferences: [$(owner clusters.cluster.x-k8s.io "$1" edge)]}
spec: {replicas: 2, version: v1.30.0+k3s1}
YAML
  kubectl -n edge apply --field-manager=manager -f - <<YAML
apiVersion: cluster.x-k8s.io/v1beta1
kind: Machine
metadata:
  name: $2
  labels: {cluster.x-k8s.io/cluster-name: $1, cluster.x-k8s.io/control-plane: ""}
  ownerReferences: [$(owner kthreescontrolplanes "$1-cp" edge)]
spec:
  clusterName: $1
  bootstrap: {configRef: {apiVersion: bootstrap.cluster.x-k8s.io/v1beta2, kind: KThreesConfig, name: $2}, dataSecretName: $2}
  infrastructureRef: {apiVersion: infrastructure.cluster.x-k8s.io/v1beta1, kind: DockerMachine, name: $2}
  providerID: docker:////$2
status: {nodeRef: {apiVersion: v1, kind: Node, name: $2}, phase: Running, infrastructureReady: true, bootstrapReady: true}
YAML
  kubectl -n edge apply --field-manager=manager -f - <<YAML
apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
kind: DockerMachine
metadata: {name: $2, labels: {cluster.x-k8s.io/cluster-name: $1}, ownerReferences: [$(owner machines.cluster.x-k8s.io "$2" edge)]}
spec: {providerID: docker:////$2}
status: {ready: true}
---
apiVersion: bootstrap.cluster.x-k8s.io/v1beta2
kind: KThreesConfig
metadata: {name: $2, labels: {cluster.x-k8s.io/cluster-name: $1}, ownerReferences: [$(owner machines.cluster.x-k8s.io "$2" edge)]}
spec: {}
status: {ready: true}
YAML
  kubectl -n edge create secret generic "$2" --type=cluster.x-k8s.io/secret --from-literal=value=data
  finalizer edge clusters.cluster.x-k8s.io "$1" cluster.cluster.x-k8s.io manager
  finalizer edge kthreescontrolplanes "$1-cp" kthrees.controlplane.cluster.x-k8s.io manager
  finalizer edge machines.cluster.x-k8s.io "$2" machine.cluster.x-k8s.io manager
  finalizer edge dockerclusters "$1" dockercluster.infrastructure.cluster.x-k8s.io manager
  finalizer edge dockermachines "$2" dockermachine.infrastructure.cluster.x-k8s.io manager
}
cluster shop shop-cp-2vk9t
cluster depot depot-cp-lw4mn
machine=shop-cp-2vk9t
[ -n "${TWIN:-}" ] || kubectl -n edge patch machines.cluster.x-k8s.io $machine --type=merge --field-manager=manager \
  -p 'metadata: {annotations: {pre-terminate.delete.hook.machine.cluster.x-k8s.io: k3s}}'
kubectl -n edge delete machines.cluster.x-k8s.io $machine --wait=false
kubectl -n edge delete clusters.cluster.x-k8s.io shop --wait=false
kubectl -n edge delete kthreescontrolplanes shop-cp --wait=false
true_() { echo "{type: $1, status: 'True', lastTransitionTime: '$(now)'}"; }
false_() { echo "{type: $1, status: 'False', severity: Info, reason: $2, message: '${3:-}', lastTransitionTime: '$(now)'}"; }
if [ -z "${TWIN:-}" ]; then
  says edge machines.cluster.x-k8s.io $machine manager "{phase: Deleting, conditions: [$(false_ Ready WaitingExternalHook), $(true_ BootstrapReady),
    $(true_ DrainingSucceeded), $(true_ InfrastructureReady), {type: NodeHealthy, status: 'Unknown', reason: NodeInspectionFailed,
    message: 'Failed to get the Node for this Machine by ProviderID', lastTransitionTime: '$(now)'}, $(true_ PreDrainDeleteHookSucceeded),
    $(false_ PreTerminateDeleteHookSucceeded WaitingExternalHook), $(true_ VolumeDetachSucceeded)]}"
else
  kubectl -n edge delete dockermachines $machine --wait=false
  says edge machines.cluster.x-k8s.io $machine manager "{phase: Deleting, conditions: [$(false_ Ready Deleting), $(true_ BootstrapReady),
    $(true_ DrainingSucceeded), $(false_ InfrastructureReady Deleting), $(true_ PreDrainDeleteHookSucceeded),
    $(true_ PreTerminateDeleteHookSucceeded), $(true_ VolumeDetachSucceeded)]}"
  says edge dockermachines $machine manager "{conditions: [$(false_ Ready Deleting), $(false_ ContainerProvisioned Deleting)]}"
fi
says edge kthreescontrolplanes shop-cp manager "{replicas: 1, conditions: [$(false_ Ready Deleting), $(true_ Available), $(true_ CertificatesAvailable),
  $(false_ MachinesReady "$([ -n "${TWIN:-}" ] && echo Deleting || echo WaitingExternalHook)" "@ Machine/$machine"), $(false_ Resized Deleting), $(true_ TokenAvailable)]}"
says edge clusters.cluster.x-k8s.io shop manager "{phase: Deleting, conditions: [$(false_ Ready Deleting), $(false_ ControlPlaneReady Deleting), $(true_ InfrastructureReady)]}"
late
aged 75 /registry/cluster.x-k8s.io/machines/edge/$machine machines.cluster.x-k8s.io $machine -n edge
aged 70 /registry/cluster.x-k8s.io/clusters/edge/shop clusters.cluster.x-k8s.io shop -n edge
aged 70 /registry/controlplane.cluster.x-k8s.io/kthreescontrolplanes/edge/shop-cp kthreescontrolplanes shop-cp -n edge
[ -z "${TWIN:-}" ] || aged 65 /registry/infrastructure.cluster.x-k8s.io/dockermachines/edge/$machine dockermachines $machine -n edge
if [ -z "${TWIN:-}" ]; then
  pod=$(pods_of capi-k3s-control-plane-system capi-k3s-control-plane-controller-manager)
  for try in 1 2 3; do
    log capi-k3s-control-plane-system "$pod" manager "$(now)	ERROR	controllers.KThreesControlPlane	failed to create client to workload cluster	{\"namespace\": \"edge\", \"machine\": \"$machine\", \"error\": \"failed to create client for Cluster edge/shop: Get \\\"https://172.18.0.3:6443/api?timeout=30s\\\": dial tcp 172.18.0.3:6443: connect: no route to host\"}"
  done
  log capi-k3s-control-plane-system "$pod" manager "$(now)	INFO	controllers.KThreesControlPlane	Reconcile KThreesControlPlane deletion	{\"namespace\": \"edge\", \"KThreesControlPlane\": \"shop-cp\", \"cluster\": \"shop\"}"
fi
