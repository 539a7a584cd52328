# A role in a cloud is deleted after the cluster that used it. The cloud left an instance profile
# behind that still contains the role, and refuses. Nothing in this cluster shows the profile.
node worker Ready
settled worker
crd roles iam.services.k8s.aws Role Namespaced v1alpha1
crd instanceprofiles iam.services.k8s.aws InstanceProfile Namespaced v1alpha1
crd clusters eks.services.k8s.aws Cluster Namespaced v1alpha1
crd eksclusters kro.run EksCluster Namespaced v1alpha1
works 600 ack-system ack-iam-controller roles.iam.services.k8s.aws instanceprofiles.iam.services.k8s.aws
leading ack-system iam.services.k8s.aws "$(pods_of ack-system ack-iam-controller)_7c1b"
works 600 ack-system ack-eks-controller clusters.eks.services.k8s.aws
works 600 kro-system kro eksclusters.kro.run roles.iam.services.k8s.aws clusters.eks.services.k8s.aws
kubectl create namespace dev
# cluster NAME creates an instance and its role.
cluster() {
  object dev EksCluster.v1alpha1.kro.run "$1" "{name: $1, autoMode: true}"
  finalizer dev eksclusters "$1" kro.run/finalizer kro
  kubectl -n dev apply --server-side --field-manager=kro.run/applyset -f - <<YAML
apiVersion: iam.services.k8s.aws/v1alpha1
kind: Role
metadata:
  name: compute-eks-$1
  labels: {kro.run/owned: "true", kro.run/instance-name: $1, kro.run/instance-namespace: dev, app.kubernetes.io/managed-by: kro}
spec:
  name: compute-eks-$1
  policies: [arn:aws:iam::aws:policy/AmazonEKSWorkerNodeMinimalPolicy]
  assumeRolePolicyDocument: '{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Principal":{"Service":"ec2.amazonaws.com"},"Action":"sts:AssumeRole"}]}'
YAML
  finalizer dev roles.iam.services.k8s.aws "compute-eks-$1" finalizers.iam.services.k8s.aws/Role controller
  says dev roles.iam.services.k8s.aws "compute-eks-$1" controller "{ackResourceMetadata: {arn: 'arn:aws:iam::111122223333:role/compute-eks-$1', ownerAccountID: '111122223333', region: eu-west-1},
    conditions: [{type: ACK.ResourceSynced, status: 'True', message: Resource synced successfully, lastTransitionTime: \"$(now)\"}]}"
}
cluster kro-dev38-10
cluster kro-dev39-11
object dev Cluster.v1alpha1.eks.services.k8s.aws kro-dev39-11 '{name: kro-dev39-11, computeConfig: {enabled: true, nodeRoleARN: "arn:aws:iam::111122223333:role/compute-eks-kro-dev39-11"}}'
finalizer dev clusters.eks.services.k8s.aws kro-dev39-11 finalizers.eks.services.k8s.aws/Cluster controller
kubectl -n dev delete ekscluster kro-dev38-10 --wait=false
kubectl -n dev delete roles.iam.services.k8s.aws compute-eks-kro-dev38-10 --wait=false
why='DeleteConflict: Cannot delete entity, must remove roles from instance profile first.'
says dev roles.iam.services.k8s.aws compute-eks-kro-dev38-10 controller "{conditions: [{type: ACK.Recoverable, status: 'True', message: '$why'},
  {type: ACK.ResourceSynced, status: Unknown, message: Unable to determine if desired resource state matches latest observed state,
   reason: 'operation error IAM: DeleteRole, https response error StatusCode: 409, $why', lastTransitionTime: \"$(now)\"}]}"
late
aged 2880 /registry/iam.services.k8s.aws/roles/dev/compute-eks-kro-dev38-10 roles.iam.services.k8s.aws compute-eks-kro-dev38-10 -n dev
aged 2881 /registry/kro.run/eksclusters/dev/kro-dev38-10 eksclusters kro-dev38-10 -n dev
