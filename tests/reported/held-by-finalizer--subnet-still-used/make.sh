# A cluster in a cloud is being deleted. Its control plane is gone there, but a subnet of its
# network cannot be deleted, because something outside this cluster uses it. The infrastructure is
# not being deleted yet.
node worker Ready
settled worker
crd clusters cluster.x-k8s.io Cluster Namespaced v1beta1
crd awsmanagedcontrolplanes controlplane.cluster.x-k8s.io AWSManagedControlPlane Namespaced v1beta2
crd awsmanagedclusters infrastructure.cluster.x-k8s.io AWSManagedCluster Namespaced v1beta2
works 600 capi-system capi-controller-manager clusters.cluster.x-k8s.io
leading capi-system controller-leader-election-capi capi-controller-manager-6d_1
replicas=1
[ -z "${TWIN:-}" ] || replicas=0
operator capa-system capa-controller-manager $replicas awsmanagedcontrolplanes.controlplane.cluster.x-k8s.io awsmanagedclusters.infrastructure.cluster.x-k8s.io
if [ -z "${TWIN:-}" ]; then
  pods_on worker capa-system capa-controller-manager
  pods_running_since 600 capa-system capa-controller-manager
  leading capa-system controller-leader-elect-capa capa-controller-manager-58_1
fi
works 600 hmc-system hmc-controller-manager clusters.cluster.x-k8s.io
kubectl create namespace sample
# cluster NAME creates a cluster with its control plane and its infrastructure.
cluster() {
  object sample Cluster.v1beta1.cluster.x-k8s.io "$1" "{controlPlaneRef: {apiVersion: controlplane.cluster.x-k8s.io/v1beta2, kind: AWSManagedControlPlane, name: $1-cp},
    infrastructureRef: {apiVersion: infrastructure.cluster.x-k8s.io/v1beta2, kind: AWSManagedCluster, name: $1}}"
  kubectl -n sample apply -f - <<YAML
apiVersion: controlplane.cluster.x-k8s.io/v1beta2
kind: AWSManagedControlPlane
metadata:
  name: $1-cp
  labels: {cluster.x-k8s.io/cluster-name: $1}
  ownerReferences: [$(owner clusters.cluster.x-k8s.io "$1" sample)]
spec:
  region: us-east-2
  eksClusterName: sample_$1-cp
  network: {vpc: {id: vpc-0904283dda6216f67}, subnets: [{id: subnet-0ea0898511118bc9b, availabilityZone: us-east-2a}, {id: subnet-0929ce1816629c157, availabilityZone: us-east-2b}]}
---
apiVersion: infrastructure.cluster.x-k8s.io/v1beta2
kind: AWSManagedCluster
metadata:
  name: $1
  labels: {cluster.x-k8s.io/cluster-name: $1}
  ownerReferences: [$(owner clusters.cluster.x-k8s.io "$1" sample)]
status: {ready: true}
YAML
  finalizer sample clusters.cluster.x-k8s.io "$1" cluster.cluster.x-k8s.io manager
  finalizer sample awsmanagedcontrolplanes "$1-cp" awsmanagedcontrolplane.controlplane.cluster.x-k8s.io manager
  finalizer sample awsmanagedclusters "$1" awsmanagedcluster.infrastructure.cluster.x-k8s.io manager
}
cluster eks-dev
cluster eks-prod
kubectl -n sample delete clusters.cluster.x-k8s.io eks-dev --wait=false
kubectl -n sample delete awsmanagedcontrolplane eks-dev-cp --wait=false
now=$(now)
# done_with TYPE REASON prints the condition of a part that is deleted or being deleted.
done_with() { echo "{type: $1, status: 'False', severity: Info, reason: $2, lastTransitionTime: '$now'}"; }
why="failed to delete subnet \"subnet-0ea0898511118bc9b\": DependencyViolation: The subnet ''subnet-0ea0898511118bc9b'' has dependencies and cannot be deleted."
failed="status: 'False', severity: Warning, reason: DeletingFailed, message: '$why', lastTransitionTime: '$now'"
if [ -z "${TWIN:-}" ]; then
  says sample awsmanagedcontrolplane eks-dev-cp manager "{ready: false, conditions: [{type: Ready, $failed}, $(done_with EKSControlPlaneReady Deleted),
    $(done_with InternetGatewayReady Deleted), $(done_with NatGatewaysReady Deleted), $(done_with RouteTablesReady Deleted), $(done_with SecondaryCidrsReady Deleting),
    {type: SubnetsReady, $failed}, {type: VpcReady, status: 'True', lastTransitionTime: '$now'}]}"
  says sample clusters.cluster.x-k8s.io eks-dev manager "{phase: Deleting, controlPlaneReady: false, infrastructureReady: true, conditions: [{type: Ready, $failed}, {type: ControlPlaneReady, $failed},
    {type: InfrastructureReady, status: 'True', lastTransitionTime: '$now'}]}"
else
  says sample awsmanagedcontrolplane eks-dev-cp manager "{ready: true, conditions: [$(done_with Ready Deleting), $(done_with EKSControlPlaneReady Deleting),
    {type: SubnetsReady, status: 'True', lastTransitionTime: '$now'}, {type: VpcReady, status: 'True', lastTransitionTime: '$now'}]}"
  says sample clusters.cluster.x-k8s.io eks-dev manager "{phase: Deleting, controlPlaneReady: true, infrastructureReady: true, conditions: [$(done_with Ready Deleting), $(done_with ControlPlaneReady Deleting),
    {type: InfrastructureReady, status: 'True', lastTransitionTime: '$now'}]}"
fi
# told_of REASON MESSAGE creates an event about a deletion that succeeded.
told_of() {
  kubectl -n sample create -f - <<YAML
apiVersion: v1
kind: Event
metadata: {generateName: "eks-dev-cp."}
involvedObject: {apiVersion: controlplane.cluster.x-k8s.io/v1beta2, kind: AWSManagedControlPlane, namespace: sample, name: eks-dev-cp,
  uid: $(kubectl -n sample get awsmanagedcontrolplane eks-dev-cp -o jsonpath='{.metadata.uid}')}
type: Normal
reason: $1
message: '$2'
source: {component: aws-controller}
count: 1
firstTimestamp: "$(date -u -d '-40 minutes' +%FT%TZ)"
lastTimestamp: "$(date -u -d '-40 minutes' +%FT%TZ)"
YAML
}
if [ -z "${TWIN:-}" ]; then
  told_of SuccessfulDeleteEKSCluster 'Deleted EKS Cluster sample_eks-dev-cp'
  told_of SuccessfulDeleteSecurityGroup 'Deleted cluster managed SecurityGroup "sg-053be8de0a8b8a58e"'
  told_of SuccessfulDeleteRouteTable 'Deleted managed RouteTable "rtb-0069154c5b2667e89"'
  told_of SuccessfulDeleteNATGateway 'Deleted NATGateway "nat-0a1b2c3d4e5f60718" previously attached to VPC "vpc-0904283dda6216f67"'
fi
late
aged 45 /registry/controlplane.cluster.x-k8s.io/awsmanagedcontrolplanes/sample/eks-dev-cp awsmanagedcontrolplane eks-dev-cp -n sample
aged 45 /registry/cluster.x-k8s.io/clusters/sample/eks-dev clusters.cluster.x-k8s.io eks-dev -n sample
[ -n "${TWIN:-}" ] || event sample awsmanagedcontrolplane eks-dev-cp FailedDeleteSubnet \
  "Failed to delete managed Subnet \\\"subnet-0ea0898511118bc9b\\\": DependencyViolation: The subnet 'subnet-0ea0898511118bc9b' has dependencies and cannot be deleted." aws-controller
