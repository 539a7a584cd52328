# A machine and its node have been terminating for a week. The drain waits for a pod whose
# annotation forbids disruption, and the node pool sets no time limit. The controller reports only
# how many pods the node has.
node worker Ready
node ip-10-40-7-12.eu-central-1.compute.internal Ready
settled worker ip-10-40-7-12.eu-central-1.compute.internal
crd ec2nodeclasses karpenter.k8s.aws EC2NodeClass Cluster
crd nodepools karpenter.sh NodePool Cluster
crd nodeclaims karpenter.sh NodeClaim Cluster
works 600 kube-system karpenter ec2nodeclasses.karpenter.k8s.aws nodeclaims.karpenter.sh nodepools.karpenter.sh nodes. pods.
leading kube-system karpenter-leader-election "$(pods_of kube-system karpenter)_4c1e6a0b"
# ran NAMESPACE NAME sets agents running for ten hours.
ran() {
  local then
  then=$(date -u -d '-10 hours' +%FT%TZ)
  pods_status "$1" "$2" "{phase: Running, startTime: \"$then\", conditions: [{type: Ready, status: 'True', lastTransitionTime: '$then'}],
    containerStatuses: [{name: agent, image: x, imageID: x, ready: true, restartCount: 0, state: {running: {startedAt: \"$then\"}}}]}"
}
for of in aws-node ebs-csi-node kube-proxy fluent-bit; do
  agents kube-system $of nodes. 'tolerations: [{operator: Exists}]'
  agents_ready kube-system $of 2
  ran kube-system $of
done
kubectl apply -f - <<'YAML'
apiVersion: karpenter.k8s.aws/v1
kind: EC2NodeClass
metadata: {name: default, finalizers: [karpenter.k8s.aws/termination]}
spec: {amiFamily: Bottlerocket, role: karpenter}
status: {conditions: [{type: Ready, status: "True", reason: Ready, message: "", lastTransitionTime: "2025-02-18T06:50:00Z"}]}
---
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: general}
spec:
  disruption: {budgets: [{nodes: 10%}], consolidateAfter: 1m, consolidationPolicy: WhenEmptyOrUnderutilized}
  template: {spec: {expireAfter: 336h, nodeClassRef: {group: karpenter.k8s.aws, kind: EC2NodeClass, name: default}}}
YAML
# machine NAME NODE creates a machine of the pool that already has its node.
machine() {
  kubectl apply --field-manager=karpenter -f - <<YAML
apiVersion: karpenter.sh/v1
kind: NodeClaim
metadata: {name: $1, labels: {karpenter.sh/nodepool: general, karpenter.k8s.aws/ec2nodeclass: default}}
spec:
  expireAfter: 336h
  nodeClassRef: {group: karpenter.k8s.aws, kind: EC2NodeClass, name: default}
status:
  nodeName: $2
  providerID: "aws:///eu-central-1a/i-0$(md5sum <<<"$1" | head -c 16)"
  conditions:
$(for type in Launched Registered Initialized Consolidatable ConsistentStateFound Ready; do
    echo "  - {type: $type, status: 'True', reason: $type, message: '', lastTransitionTime: '2025-04-21T07:05:00Z', observedGeneration: 1}"
  done)
YAML
  finalizer "" nodeclaims.karpenter.sh "$1" karpenter.sh/termination karpenter
  kubectl patch node "$2" --type=merge --field-manager=karpenter -p "{\"metadata\": {\"finalizers\": [\"karpenter.sh/termination\"],
    \"labels\": {\"karpenter.sh/nodepool\": \"general\", \"karpenter.sh/registered\": \"true\", \"karpenter.sh/initialized\": \"true\"},
    \"ownerReferences\": [{\"apiVersion\": \"karpenter.sh/v1\", \"kind\": \"NodeClaim\", \"name\": \"$1\", \"blockOwnerDeletion\": true,
      \"uid\": \"$(kubectl get nodeclaim "$1" -o jsonpath='{.metadata.uid}')\"}]},
    \"spec\": {\"providerID\": \"$(kubectl get nodeclaim "$1" -o jsonpath='{.status.providerID}')\"}}"
}
machine general-7xq2p ip-10-40-7-12.eu-central-1.compute.internal
machine general-m2k8d worker
# The other pods on that node: an import that must not be disrupted, and a similar one that has
# finished. Another service has one pod there and one on another node.
kubectl create namespace imports
# import NAME NODE creates the pod of an import.
import() {
  kubectl -n imports apply -f - <<YAML
apiVersion: v1
kind: Pod
metadata: {name: $1, labels: {app: nightly-import}, annotations: {$([ -n "${TWIN:-}" ] || echo 'karpenter.sh/do-not-disrupt: "true"')}}
spec:
  nodeName: $2
  restartPolicy: Never
  automountServiceAccountToken: false
  terminationGracePeriodSeconds: 30
  containers: [{name: import, image: example.invalid/none}]
YAML
}
node=ip-10-40-7-12.eu-central-1.compute.internal
import nightly-import-x7k2p $node
import nightly-import-q9d4w $node
since=$(date -u -d '-10 hours' +%FT%TZ)
kubectl -n imports patch pod nightly-import-x7k2p --subresource=status --type=merge -p "status: {phase: Running, startTime: \"$since\",
  conditions: [$(condition PodScheduled True), $(condition Initialized True), $(condition ContainersReady True), $(condition Ready True)],
  containerStatuses: [{name: import, image: x, imageID: x, ready: true, restartCount: 0, state: {running: {startedAt: \"$since\"}}}]}"
kubectl -n imports patch pod nightly-import-q9d4w --subresource=status --type=merge -p "status: {phase: Succeeded, startTime: \"$since\",
  conditions: [$(condition PodScheduled True), $(condition Initialized True PodCompleted), $(condition ContainersReady False PodCompleted), $(condition Ready False PodCompleted)],
  containerStatuses: [{name: import, image: x, imageID: x, ready: false, restartCount: 0,
    state: {terminated: {exitCode: 0, reason: Completed, startedAt: \"$since\", finishedAt: \"$since\"}}}]}"
kubectl create namespace shop
pod shop cart-0 worker 30
kubectl -n shop label pod cart-0 app=cart
kubectl -n shop patch pod cart-0 --subresource=status --type=merge -p "status: {phase: Running, conditions: [$(condition Ready True)]}"
kubectl -n shop apply -f - <<'YAML'
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: cart}
spec: {minAvailable: 1, selector: {matchLabels: {app: cart}}}
YAML
if [ -n "${TWIN:-}" ]; then
  kubectl -n imports apply -f - <<'YAML'
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: nightly-import}
spec: {minAvailable: 1, selector: {matchLabels: {app: nightly-import}}}
YAML
  wait_for 30 "the budget counts" is 1 '{.status.currentHealthy}' pdb nightly-import -n imports
fi
wait_for 30 "the budget of cart counts" is 1 '{.status.currentHealthy}' pdb cart -n shop
kubectl delete nodeclaim general-7xq2p --wait=false
kubectl delete node $node --wait=false
kubectl patch node $node --type=merge --field-manager=karpenter -p '{"metadata": {"labels": {"node.kubernetes.io/exclude-from-external-load-balancers": "karpenter"}},
  "spec": {"taints": [{"key": "karpenter.sh/disrupted", "effect": "NoSchedule"}]}}'
kubectl get nodeclaim general-7xq2p -o json | sed 's/"conditions": \[/&{"type":"Drained","status":"Unknown","reason":"Draining","message":"Draining","lastTransitionTime":"2025-05-05T07:05:00Z","observedGeneration":1},/' |
  kubectl replace --field-manager=karpenter -f -
late
aged 10080 /registry/karpenter.sh/nodeclaims/general-7xq2p nodeclaim general-7xq2p
aged 10080 /registry/minions/$node node $node
# said TYPE NAME EVENT-TYPE REASON MESSAGE COUNT creates an event about a cluster-scoped object that
# has been repeated for a week.
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
count: $6
firstTimestamp: "$(date -u -d '-7 days' +%FT%TZ)"
lastTimestamp: "$(date -u -d '-12 minutes' +%FT%TZ)"
YAML
}
said node $node Warning FailedDraining 'Failed to drain node, 6 pods are waiting to be evicted' 5035
said node $node Normal DisruptionBlocked 'Node is deleting or marked for deletion' 4762
said nodeclaim general-7xq2p Normal DisruptionBlocked 'Node is deleting or marked for deletion' 4762
said nodeclaim general-m2k8d Normal Unconsolidatable "Can't replace with a cheaper node" 61
