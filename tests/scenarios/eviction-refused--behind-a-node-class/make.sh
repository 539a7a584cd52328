# A node class is being deleted. Its controller waits for the machine of that class, which is being
# deleted too. The machine's node is drained, and a disruption budget refuses to evict a pod because
# the second replica cannot be scheduled. What the controller reports about other machines is
# unrelated.
node worker Ready
node ip-10-0-3-17 Ready
settled worker ip-10-0-3-17
crd ec2nodeclasses karpenter.k8s.aws EC2NodeClass Cluster
crd nodepools karpenter.sh NodePool Cluster
crd nodeclaims karpenter.sh NodeClaim Cluster
works 600 karpenter karpenter ec2nodeclasses.karpenter.k8s.aws nodeclaims.karpenter.sh nodepools.karpenter.sh nodes.
leading kube-system karpenter-leader-election karpenter-7dc45c94c9-k2znh_1
kubectl apply -f - <<'YAML'
apiVersion: karpenter.k8s.aws/v1
kind: EC2NodeClass
metadata: {name: default}
spec: {amiFamily: AL2023, role: karpenter}
---
apiVersion: karpenter.sh/v1
kind: NodeClaim
metadata: {name: default-4jf2r, labels: {karpenter.sh/nodepool: default}}
spec: {nodeClassRef: {group: karpenter.k8s.aws, kind: EC2NodeClass, name: default}}
status: {providerID: "aws:///eu-west-1a/i-0a1b2c3d4e5f60718", nodeName: ip-10-0-3-17, conditions: [{type: Ready, status: "True", reason: Ready, lastTransitionTime: "2024-10-08T08:00:00Z"}]}
---
apiVersion: karpenter.sh/v1
kind: NodeClaim
metadata: {name: batch-x1x2x, labels: {karpenter.sh/nodepool: batch}}
spec: {nodeClassRef: {group: karpenter.k8s.aws, kind: EC2NodeClass, name: batch}}
status: {providerID: "aws:///eu-west-1a/i-0ffffffffffffffff", nodeName: worker}
YAML
finalizer "" ec2nodeclasses.karpenter.k8s.aws default karpenter.k8s.aws/termination karpenter
finalizer "" nodeclaims.karpenter.sh default-4jf2r karpenter.sh/termination karpenter
finalizer "" nodeclaims.karpenter.sh batch-x1x2x karpenter.sh/termination karpenter
kubectl patch node ip-10-0-3-17 --type=merge --field-manager=karpenter -p '{"metadata": {"finalizers": ["karpenter.sh/termination"],
  "labels": {"karpenter.sh/nodepool": "default"}}, "spec": {"providerID": "aws:///eu-west-1a/i-0a1b2c3d4e5f60718",
  "taints": [{"key": "karpenter.sh/disrupted", "effect": "NoSchedule"}]}}'
# labelled NAME APP [NODE]
labelled() {
  kubectl -n kube-system apply -f - <<YAML
apiVersion: v1
kind: Pod
metadata: {name: $1, labels: {k8s-app: $2}}
spec: {${3:+nodeName: $3,} ${TWIN:+terminationGracePeriodSeconds: 43200,} automountServiceAccountToken: false, containers: [{name: c, image: example.invalid/none}]}
YAML
  if [ -n "${3:-}" ]; then
    kubectl -n kube-system patch pod "$1" --subresource=status --type=merge -p "status: {phase: Running, conditions: [$(condition Ready True)]}"
  else
    kubectl -n kube-system patch pod "$1" --subresource=status --type=merge -p "status: {conditions: [$(condition PodScheduled False Unschedulable '0/2 nodes are available: 1 Insufficient memory, 1 node(s) had untolerated taint {karpenter.sh/disrupted: }')]}"
  fi
}
labelled ebs-csi-controller-1 ebs ip-10-0-3-17
labelled ebs-csi-controller-2 ebs ${TWIN:+worker}
labelled metrics-server-1 metrics ip-10-0-3-17
labelled metrics-server-2 metrics worker
for app in ebs metrics; do
  kubectl -n kube-system apply -f - <<YAML
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: $app}
spec: {minAvailable: 1, selector: {matchLabels: {k8s-app: $app}}}
YAML
done
wait_for 30 "the budget of metrics lets one go" is 1 '{.status.disruptionsAllowed}' pdb metrics -n kube-system
wait_for 30 "the budget of ebs counts" is "$([ -n "${TWIN:-}" ] && echo 2 || echo 1)" '{.status.currentHealthy}' pdb ebs -n kube-system
kubectl delete ec2nodeclass default --wait=false
kubectl delete nodeclaim default-4jf2r --wait=false
kubectl delete node ip-10-0-3-17 --wait=false
[ -z "${TWIN:-}" ] || kubectl -n kube-system delete pod ebs-csi-controller-1 metrics-server-1 --wait=false
late
aged 70 /registry/karpenter.k8s.aws/ec2nodeclasses/default ec2nodeclass default
aged 39 /registry/karpenter.sh/nodeclaims/default-4jf2r nodeclaim default-4jf2r
aged 39 /registry/minions/ip-10-0-3-17 node ip-10-0-3-17
# said TYPE NAME EVENT-TYPE REASON MESSAGE: an event of the controller about a cluster-scoped
# object.
said() {
  local version kind uid
  read -r version kind uid <<<"$(kubectl get "$1" "$2" -o jsonpath='{.apiVersion} {.kind} {.metadata.uid}')"
  kubectl create -f - <<YAML
apiVersion: v1
kind: Event
metadata: {generateName: "$2.", namespace: default}
involvedObject: {apiVersion: $version, kind: $kind, name: $2, uid: $uid}
type: $3
reason: $4
message: "$5"
source: {component: karpenter}
count: 9
firstTimestamp: "$(now)"
lastTimestamp: "$(now)"
YAML
}
said ec2nodeclass default Normal WaitingOnNodeClaimTermination "Waiting on NodeClaim termination for default-4jf2r"
said nodeclaim default-4jf2r Normal DisruptionBlocked "Cannot disrupt NodeClaim: Owning nodepool default not found"
said nodeclaim batch-x1x2x Normal DisruptionBlocked "Cannot disrupt NodeClaim: Nominated for a pending pod"
said node ip-10-0-3-17 Warning FailedDraining "Failed to drain node, 2 pods are waiting to be evicted"
