# A machine and its node have been terminating for a week. Only DaemonSet pods are left on the node,
# and its volume was detached. Nothing has terminated the instance, and the controller, whose log is
# full, does not mention this machine there. The report never finds the reason.
kubelet
node_with_kubelet worker
node ip-10-20-4-41.ec2.internal Ready
settled worker ip-10-20-4-41.ec2.internal
crd ec2nodeclasses karpenter.k8s.aws EC2NodeClass Cluster
crd nodepools karpenter.sh NodePool Cluster
crd nodeclaims karpenter.sh NodeClaim Cluster
works 600 kube-system karpenter ec2nodeclasses.karpenter.k8s.aws nodeclaims.karpenter.sh nodepools.karpenter.sh nodes.
leading kube-system karpenter-leader-election "$(pods_of kube-system karpenter)_4c1e6a0b"
# for_hours NAMESPACE NAME sets agents running for ten hours.
for_hours() {
  local then
  then=$(date -u -d '-10 hours' +%FT%TZ)
  pods_status "$1" "$2" "{phase: Running, startTime: \"$then\", conditions: [{type: Ready, status: 'True', lastTransitionTime: '$then'}],
    containerStatuses: [{name: agent, image: x, imageID: x, ready: true, restartCount: 0, state: {running: {startedAt: \"$then\"}}}]}"
}
for of in cilium ebs-csi-node; do
  agents kube-system $of nodes. 'tolerations: [{operator: Exists}]'
  agents_ready kube-system $of 2
  for_hours kube-system $of
done
# machine NAME NODE creates a machine of the pool that already has its node.
machine() {
  kubectl apply --field-manager=karpenter -f - <<YAML
apiVersion: karpenter.sh/v1
kind: NodeClaim
metadata: {name: $1, labels: {karpenter.sh/nodepool: jupyterhub, karpenter.k8s.aws/ec2nodeclass: generic}}
spec:
  expireAfter: 12h
  nodeClassRef: {group: karpenter.k8s.aws, kind: EC2NodeClass, name: generic}
  startupTaints: [{key: node.cilium.io/agent-not-ready, value: "true", effect: NoExecute}]
  taints: [{key: node-group, value: jupyterhub, effect: NoSchedule}]
status:
  nodeName: $2
  providerID: "aws:///us-east-1a/i-0$(md5sum <<<"$1" | head -c 16)"
  conditions:
$(for type in Launched Registered Initialized Consolidatable ConsistentStateFound Ready; do
    echo "  - {type: $type, status: 'True', reason: $type, message: '', lastTransitionTime: '2025-04-21T07:05:00Z', observedGeneration: 1}"
  done)
YAML
  finalizer "" nodeclaims.karpenter.sh "$1" karpenter.sh/termination karpenter
  kubectl patch node "$2" --type=merge --field-manager=karpenter -p "{\"metadata\": {\"finalizers\": [\"karpenter.sh/termination\"],
    \"labels\": {\"karpenter.sh/nodepool\": \"jupyterhub\", \"karpenter.sh/registered\": \"true\", \"karpenter.sh/initialized\": \"true\"},
    \"ownerReferences\": [{\"apiVersion\": \"karpenter.sh/v1\", \"kind\": \"NodeClaim\", \"name\": \"$1\", \"blockOwnerDeletion\": true,
      \"uid\": \"$(kubectl get nodeclaim "$1" -o jsonpath='{.metadata.uid}')\"}]},
    \"spec\": {\"providerID\": \"$(kubectl get nodeclaim "$1" -o jsonpath='{.status.providerID}')\"}}"
}
kubectl apply -f - <<'YAML'
apiVersion: karpenter.k8s.aws/v1
kind: EC2NodeClass
metadata: {name: generic, finalizers: [karpenter.k8s.aws/termination]}
spec: {role: karpenter}
status: {conditions: [{type: Ready, status: "True", reason: Ready, message: "", lastTransitionTime: "2025-02-18T06:50:00Z"}]}
---
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: jupyterhub}
spec:
  disruption: {budgets: [{nodes: 100%}], consolidateAfter: 900s, consolidationPolicy: WhenEmpty}
  template: {spec: {expireAfter: 12h, nodeClassRef: {group: karpenter.k8s.aws, kind: EC2NodeClass, name: generic}}}
YAML
machine jupyterhub-7xq2p ip-10-20-4-41.ec2.internal
# A volume that is attached to another node.
kubectl apply -f - <<'YAML'
apiVersion: v1
kind: PersistentVolume
metadata: {name: pvc-5d1f0c6e}
spec:
  capacity: {storage: 50Gi}
  accessModes: [ReadWriteOnce]
  storageClassName: gp3
  csi: {driver: ebs.csi.aws.com, volumeHandle: vol-0a5d3c1b}
---
apiVersion: storage.k8s.io/v1
kind: VolumeAttachment
metadata: {name: csi-1f0a9d, finalizers: [external-attacher/ebs-csi-aws-com]}
spec: {attacher: ebs.csi.aws.com, nodeName: worker, source: {persistentVolumeName: pvc-5d1f0c6e}}
YAML
kubectl create namespace hub
pod hub proxy-0 worker 30
kubectl -n hub label pod proxy-0 app=proxy
phase hub proxy-0 Running
kubectl -n hub apply -f - <<'YAML'
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: proxy}
spec: {minAvailable: 1, selector: {matchLabels: {app: proxy}}}
YAML
kubectl delete nodeclaim jupyterhub-7xq2p --wait=false
kubectl delete node ip-10-20-4-41.ec2.internal --wait=false
kubectl patch node ip-10-20-4-41.ec2.internal --type=merge --field-manager=karpenter \
  -p '{"spec": {"taints": [{"key": "node-group", "value": "jupyterhub", "effect": "NoSchedule"}, {"key": "karpenter.sh/disrupted", "effect": "NoSchedule"}]}}'
late
aged 10080 /registry/karpenter.sh/nodeclaims/jupyterhub-7xq2p nodeclaim jupyterhub-7xq2p
aged 10080 /registry/minions/ip-10-20-4-41.ec2.internal node ip-10-20-4-41.ec2.internal
# said TYPE NAME creates the event that Karpenter reports for everything that is already being
# deleted.
said() {
  local version kind uid
  read -r version kind uid <<<"$(kubectl get "$1" "$2" -o jsonpath='{.apiVersion} {.kind} {.metadata.uid}')"
  kubectl create -f - <<YAML
apiVersion: v1
kind: Event
metadata: {generateName: "$2.", namespace: default}
involvedObject: {apiVersion: $version, kind: $kind, name: $2, uid: $uid}
type: Normal
reason: DisruptionBlocked
message: "Node is deleting or marked for deletion"
source: {component: karpenter}
count: 4762
firstTimestamp: "$(now)"
lastTimestamp: "$(now)"
YAML
}
said nodeclaim jupyterhub-7xq2p
said node ip-10-20-4-41.ec2.internal
# writes MESSAGE NODECLAIM writes a line to the controller's log.
writes() {
  log kube-system "$(pods_of kube-system karpenter)" manager "{\"level\":\"INFO\",\"time\":\"$(now)\",\"logger\":\"controller\",\
\"message\":\"$1\",\"controller\":\"nodeclaim.lifecycle\",\"controllerKind\":\"NodeClaim\",\"NodeClaim\":{\"name\":\"$2\"}}"
}
writes 'initialized nodeclaim' generic-k2v8w
writes 'deleted nodeclaim' generic-9mz4c
writes 'registered nodeclaim' jupyterhub-mm5d8
