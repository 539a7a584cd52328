# The controller of a cloud machine no longer runs.
crd nodeclaims karpenter.sh NodeClaim Cluster
operator karpenter karpenter 0 nodeclaims.karpenter.sh
for name in pool-a pool-b; do
  kubectl apply -f - <<YAML
apiVersion: karpenter.sh/v1
kind: NodeClaim
metadata: {name: $name, finalizers: [karpenter.sh/termination]}
spec: {nodeClassRef: {group: karpenter.k8s.aws, kind: EC2NodeClass, name: default}}
status: {providerID: "aws:///eu-central-1a/i-0a1b2c3d4e5f-$name", nodeName: ip-10-0-0-7}
YAML
done
kubectl delete nodeclaims.karpenter.sh pool-a --wait=false
late
aged 30 /registry/karpenter.sh/nodeclaims/pool-a nodeclaims.karpenter.sh pool-a
