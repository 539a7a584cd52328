# A managed cluster is being deleted. Its control plane is gone, both in the cloud and here. Its
# network is still used in the cloud, so the provider cannot delete it. An event of the
# infrastructure says so. The cluster reports only that it waits for the infrastructure.
node worker Ready
settled worker
crd clusters cluster.x-k8s.io Cluster Namespaced v1beta1
crd gcpmanagedclusters infrastructure.cluster.x-k8s.io GCPManagedCluster Namespaced v1beta1
crd gcpmanagedcontrolplanes infrastructure.cluster.x-k8s.io GCPManagedControlPlane Namespaced v1beta1
crd gcpmanagedmachinepools infrastructure.cluster.x-k8s.io GCPManagedMachinePool Namespaced v1beta1
works 600 capi-system capi-controller-manager clusters.cluster.x-k8s.io gcpmanagedclusters.infrastructure.cluster.x-k8s.io \
  gcpmanagedcontrolplanes.infrastructure.cluster.x-k8s.io gcpmanagedmachinepools.infrastructure.cluster.x-k8s.io
leading capi-system controller-leader-election-capi "$(pods_of capi-system capi-controller-manager)_1"
operator capg-system capg-controller-manager 1 gcpmanagedclusters.infrastructure.cluster.x-k8s.io \
  gcpmanagedcontrolplanes.infrastructure.cluster.x-k8s.io gcpmanagedmachinepools.infrastructure.cluster.x-k8s.io
kubectl -n capg-system patch deployment capg-controller-manager --type=merge -p 'metadata: {labels: {cluster.x-k8s.io/provider: infrastructure-gcp, control-plane: capg-controller-manager}}'
pods_on worker capg-system capg-controller-manager
pods_running_since 600 capg-system capg-controller-manager
leading capg-system controller-leader-election-capg "$(pods_of capg-system capg-controller-manager)_1"
works 600 rancher-turtles-system rancher-turtles-controller-manager clusters.cluster.x-k8s.io
operator cattle-fleet-system fleet-agent 1
kubectl create clusterrole fleet-agent-role --verb='*' --resource='*.*'
kubectl create clusterrolebinding fleet-agent-role-binding --clusterrole=fleet-agent-role --serviceaccount=cattle-fleet-system:fleet-agent
pods_on worker cattle-fleet-system fleet-agent
pods_running_since 600 cattle-fleet-system fleet-agent
# cluster NAMESPACE NAME creates a cluster with its infrastructure, as the repository has it.
cluster() {
  kubectl get namespace "$1" >/dev/null 2>&1 || kubectl create namespace "$1"
  kubectl apply --field-manager=fleetagent -f - <<YAML
apiVersion: cluster.x-k8s.io/v1beta1
kind: Cluster
metadata: {name: $2, namespace: $1, labels: {cluster-api.cattle.io/rancher-auto-import: "true", objectset.rio.cattle.io/hash: 6a2b5f}}
spec:
  clusterNetwork: {pods: {cidrBlocks: [192.168.0.0/16]}}
  controlPlaneRef: {apiVersion: infrastructure.cluster.x-k8s.io/v1beta1, kind: GCPManagedControlPlane, name: $2-control-plane, namespace: $1}
  infrastructureRef: {apiVersion: infrastructure.cluster.x-k8s.io/v1beta1, kind: GCPManagedCluster, name: $2, namespace: $1}
YAML
  kubectl apply --field-manager=fleetagent -f - <<YAML
apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
kind: GCPManagedCluster
metadata: {name: $2, namespace: $1, labels: {objectset.rio.cattle.io/hash: 6a2b5f}}
spec: {project: capi-tests, region: europe-west2, network: {name: $2-network}}
---
apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
kind: GCPManagedControlPlane
metadata: {name: $2-control-plane, namespace: $1, labels: {objectset.rio.cattle.io/hash: 6a2b5f}}
spec: {project: capi-tests, location: europe-west2, clusterName: $2}
YAML
  kubectl -n "$1" patch gcpmanagedcluster "$2" --type=merge --field-manager=manager -p "metadata: {
    finalizers: [gcpmanagedcluster.infrastructure.cluster.x-k8s.io], labels: {cluster.x-k8s.io/cluster-name: $2}, ownerReferences: [$(owner clusters.cluster.x-k8s.io "$2" "$1")]}"
  finalizer "$1" clusters.cluster.x-k8s.io "$2" cluster.cluster.x-k8s.io manager
  says "$1" gcpmanagedclusters "$2" manager "{ready: true, network: {selfLink: \"https://www.googleapis.com/compute/v1/projects/capi-tests/global/networks/$2-network\"}}"
  says "$1" clusters.cluster.x-k8s.io "$2" manager "{phase: Provisioned, infrastructureReady: true, controlPlaneReady: true, conditions: [$(condition Ready True), $(condition InfrastructureReady True), $(condition ControlPlaneReady True)]}"
}
ns=creategitops-86kcjc name=cluster-gke-44fgdv
cluster $ns $name
cluster default cluster-gke-prod
for plural in clusters.cluster gcpmanagedclusters.infrastructure.cluster gcpmanagedcontrolplanes.infrastructure.cluster; do
  born 900 /registry/apiextensions.k8s.io/customresourcedefinitions/$plural.x-k8s.io crd $plural.x-k8s.io
done
born 120 /registry/namespaces/$ns namespace $ns
born 100 /registry/cluster.x-k8s.io/clusters/$ns/$name clusters.cluster.x-k8s.io $name -n $ns
born 100 /registry/infrastructure.cluster.x-k8s.io/gcpmanagedclusters/$ns/$name gcpmanagedcluster $name -n $ns
kubectl -n $ns delete clusters.cluster.x-k8s.io $name --wait=false
kubectl -n $ns delete gcpmanagedcontrolplane $name-control-plane
kubectl -n $ns delete gcpmanagedcluster $name --wait=false
deleting() {
  says $ns clusters.cluster.x-k8s.io $name manager "{phase: Deleting, infrastructureReady: true, controlPlaneReady: true,
    conditions: [$(condition Ready False Deleted), $(condition InfrastructureReady False Deleted), $(condition ControlPlaneReady False Deleted)],
    v1beta2: {conditions: [$(condition Deleting True WaitingForInfrastructureDeletion 'Waiting for GCPManagedCluster to be deleted'),
      $(condition Available False NotAvailable '* Deleting: Waiting for GCPManagedCluster to be deleted'),
      $(condition InfrastructureReady True Ready), $(condition ControlPlaneAvailable Unknown Deleted 'GCPManagedControlPlane has been deleted')]}}"
}
deleting
event $ns gcpmanagedcluster $name GCPManagedClusterReconcile "Reconcile error - googleapi: Error 400: The network resource 'projects/capi-tests/global/networks/$name-network' is already being used by 'projects/capi-tests/global/firewalls/gke-$name-6f1d2b3a-mcsd', resourceInUseByAnotherResource" gcp-controller
late
aged 75 /registry/cluster.x-k8s.io/clusters/$ns/$name clusters.cluster.x-k8s.io $name -n $ns
aged 70 /registry/infrastructure.cluster.x-k8s.io/gcpmanagedclusters/$ns/$name gcpmanagedcluster $name -n $ns
