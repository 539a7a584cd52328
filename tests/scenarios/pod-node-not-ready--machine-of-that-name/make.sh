# A machine does not report. A Deployment that is named like its node, and may write nodes, was
# scaled to 0. It is not the node's kubelet, which reported a kernel and a container runtime and
# renewed the lease itself.
node alive Ready
node burst-east NotReady
operator skyhook-system burst 0 nodes. leases.coordination.k8s.io
kubectl patch node burst-east --subresource=status --type=merge --field-manager=kubelet -p 'status: {nodeInfo: {
  kubeletVersion: v1.35.2, operatingSystem: linux, architecture: amd64, kernelVersion: 6.12.9, containerRuntimeVersion: containerd://2.1.4,
  osImage: Some Linux, bootID: b, machineID: m, systemUUID: s, kubeProxyVersion: ""}}'
kubectl apply --field-manager=kubelet -f - <<YAML
apiVersion: coordination.k8s.io/v1
kind: Lease
metadata: {name: burst-east, namespace: kube-node-lease}
spec: {holderIdentity: burst-east, leaseDurationSeconds: 40, renewTime: "$(date -u -d '-10 minutes' +%FT%T.000000Z)"}
YAML
kubectl create namespace shop
pod shop render burst-east 1
phase shop render Running
kubectl -n shop delete pod render --wait=false
late
