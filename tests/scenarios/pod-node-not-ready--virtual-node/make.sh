# The kubelet of a virtual node is a Deployment, which renewed the node's lease and was scaled to 0.
# A pod on it runs at a provider. Another node is a machine and is healthy.
node alive Ready
node burst-east NotReady
operator skyhook-system skyhook 0 nodes. leases.coordination.k8s.io
kubectl patch node burst-east --subresource=status --type=merge --field-manager=skyhook -p 'status: {nodeInfo: {
  kubeletVersion: v1.35.2, operatingSystem: linux, architecture: amd64, kernelVersion: "", containerRuntimeVersion: "",
  osImage: "", bootID: "", machineID: "", systemUUID: "", kubeProxyVersion: ""}}'
kubectl apply --field-manager=skyhook -f - <<YAML
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
