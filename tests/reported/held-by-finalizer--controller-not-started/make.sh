# A node was removed from a cluster whose servers run their controllers in-process. Since an update
# a server no longer starts the controller that set the node's finalizer, because another network
# plugin is used. An unrelated product has similar finalizers and works.
node server-1 Ready
node agent-2 Ready
node agent-3 NotReady
settled server-1 agent-2
version=v1.29.4+rke2r1
[ -z "${TWIN:-}" ] || version=v1.29.4
for name in server-1 agent-2 agent-3; do
  kubectl patch node $name --subresource=status --type=merge -p "status: {nodeInfo: {kubeletVersion: $version, osImage: Ubuntu 22.04.4 LTS,
    operatingSystem: linux, architecture: amd64, containerRuntimeVersion: 'containerd://1.7.11', bootID: a, machineID: b, systemUUID: c,
    kernelVersion: 5.15.0-1050-aws, kubeProxyVersion: $version}}"
done
kubectl label node server-1 node-role.kubernetes.io/control-plane=true node-role.kubernetes.io/etcd=true
[ -n "${TWIN:-}" ] || for name in rke2 rke2-etcd; do leading kube-system $name server-1; done
[ -n "${TWIN:-}" ] || crd addons k3s.cattle.io Addon Namespaced v1
operator cattle-system cattle-cluster-agent 1 nodes.
pods_on agent-2 cattle-system cattle-cluster-agent
pods_running_since 600 cattle-system cattle-cluster-agent
operator kube-system calico-kube-controllers 1 nodes.
pods_on agent-2 kube-system calico-kube-controllers
pods_running_since 600 kube-system calico-kube-controllers
leading cattle-system cattle-controllers cattle-cluster-agent-79c6_1
for name in agent-2 agent-3; do
  kubectl patch node $name --type=merge --field-manager=rke2 -p 'metadata: {finalizers: [wrangler.cattle.io/cisnetworkpolicy-node]}'
done
pod kube-system calico-node-x8v7k agent-3 0
phase kube-system calico-node-x8v7k Running
kubectl delete node agent-3 --wait=false
late
aged 90 /registry/minions/agent-3 node agent-3
