# A managed cluster is hibernated: its machines are deleted. The machine controller runs outside the
# cluster. The last node joined while its machine was already being deleted. It was deleted with its
# finalizer left on, the machine is gone, and the controller that would remove the finalizer was
# stopped. Nothing else runs in this cluster.
node ip-10-180-17-205.eu-west-1.compute.internal NotReady
name=ip-10-180-17-205.eu-west-1.compute.internal
then=$(date -u -d '-44 minutes' +%FT%TZ)
kubectl label node $name worker.gardener.cloud/pool=worker-cpu worker.gardener.cloud/kubernetes-version=1.34.3 \
  node.kubernetes.io/instance-type=m5.large topology.kubernetes.io/zone=eu-west-1a kubernetes.io/os=linux \
  node.gardener.cloud/machine-name=shoot--i765230--demo-worker-cpu-z1-7b64b-z4npp
kubectl annotate node $name --field-manager=machine-controller \
  node.machine.sapcloud.io/last-applied-anno-labels-taints='{"metadata":{"labels":{"worker.gardener.cloud/pool":"worker-cpu"}},"spec":{}}'
kubectl patch node $name --type=merge --field-manager=machine-controller -p 'metadata: {finalizers: [node.machine.sapcloud.io/machine-controller]}'
kubectl patch node $name --type=merge --field-manager=aws-cloud-controller-manager -p 'spec: {providerID: "aws:///eu-west-1a/i-0c9d1f6a7b2e35d48"}'
kubectl patch node $name --subresource=status --type=merge -p "status: {nodeInfo: {kubeletVersion: v1.34.3, osImage: Garden Linux 1877.7,
  operatingSystem: linux, architecture: amd64, containerRuntimeVersion: 'containerd://2.1.4', bootID: a, machineID: b, systemUUID: c,
  kernelVersion: 6.12.47-cloud-amd64, kubeProxyVersion: ''}}"
# Its kubelet renewed its lease for the last time then.
heartbeat $name
"$CONTROL_PLANE" etcd-put /registry/leases/kube-node-lease/$name "$(kubectl -n kube-node-lease get lease $name -o json --show-managed-fields |
  sed -E "s/\"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]+(\.0+)?Z\"/\"$then\"/g; s/(\"renewTime\": \"[^Z]*)Z/\1.000000Z/; /\"resourceVersion\"/d")" --endpoint "$ETCD_ENDPOINT"
# The account that the external machine controller uses. No workload in this cluster uses it.
kubectl apply -f - <<'YAML'
apiVersion: v1
kind: ServiceAccount
metadata: {name: machine-controller-manager, namespace: kube-system, labels: {resources.gardener.cloud/managed-by: gardener}}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: "gardener.cloud:target:machine-controller-manager", labels: {resources.gardener.cloud/managed-by: gardener}}
rules:
- {apiGroups: [""], resources: [nodes, nodes/status, endpoints, replicationcontrollers, pods, persistentvolumes, persistentvolumeclaims], verbs: [create, delete, deletecollection, get, list, patch, update, watch]}
- {apiGroups: [""], resources: [pods/eviction], verbs: [create]}
- {apiGroups: [storage.k8s.io], resources: [volumeattachments], verbs: [delete, get, list, watch]}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: "gardener.cloud:target:machine-controller-manager", labels: {resources.gardener.cloud/managed-by: gardener}}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: "gardener.cloud:target:machine-controller-manager"}
subjects: [{kind: ServiceAccount, name: machine-controller-manager, namespace: kube-system}]
YAML
# Workloads that start again when the cluster wakes up. None of them has a node now.
for of in coredns metrics-server; do
  operator kube-system $of 1
  pods_unscheduled kube-system $of "0/1 nodes are available: 1 node(s) had untolerated taint {node.kubernetes.io/unreachable: }. preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling."
done
operator kube-system calico-typha-deploy 1 nodes.
pods_unscheduled kube-system calico-typha-deploy "0/1 nodes are available: 1 node(s) had untolerated taint {node.kubernetes.io/unreachable: }. preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling."
for of in calico-node node-problem-detector; do
  agents kube-system $of nodes. 'tolerations: [{operator: Exists}]'
  agents_ready kube-system $of 1
  pods_status kube-system $of "{conditions: [{type: Ready, status: 'False', lastTransitionTime: '$then'}]}"
done
kubectl delete node $name --wait=false
late
aged 44 /registry/minions/$name node $name
kubectl create -f - <<YAML
apiVersion: v1
kind: Event
metadata: {generateName: "$name.", namespace: default}
involvedObject: {kind: Node, name: $name, uid: $name}
type: Normal
reason: NodeNotReady
message: "Node $name status is now: NodeNotReady"
source: {component: node-controller}
count: 1
firstTimestamp: "$then"
lastTimestamp: "$then"
YAML
