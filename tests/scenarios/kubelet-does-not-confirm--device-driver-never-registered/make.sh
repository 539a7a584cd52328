# A driver publishes devices for all nodes, but its plugin was never registered on this node. A pod
# could not start and cannot end. Another driver is registered there.
node alive Ready
settled alive
kubectl create namespace lab
kubectl apply -f - <<YAML
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {name: fabric-0}
spec: {driver: fabric.gull.example, allNodes: true, pool: {name: fabric, generation: 1, resourceSliceCount: 1}, devices: [{name: dev-0}]}
---
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {name: alive-cards}
spec: {driver: cards.gull.example, nodeName: alive, pool: {name: alive, generation: 1, resourceSliceCount: 1}, devices: [{name: card-0}]}
${TWIN:-}
---
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: link, namespace: lab}
spec: {devices: {requests: [{name: device, exactly: {deviceClassName: fabric}}]}}
---
apiVersion: v1
kind: Pod
metadata: {name: probe, namespace: lab}
spec:
  nodeName: alive
  automountServiceAccountToken: false
  terminationGracePeriodSeconds: 1
  resourceClaims: [{name: device, resourceClaimName: link}]
  containers: [{name: main, image: example.invalid/probe, resources: {claims: [{name: device}]}}]
YAML
kubectl -n lab patch resourceclaim link --type=merge -p 'metadata: {finalizers: [resource.kubernetes.io/delete-protection]}'
kubectl -n lab patch resourceclaim link --subresource=status --type=merge -p "status: {
  allocation: {devices: {results: [{request: device, driver: fabric.gull.example, pool: fabric, device: dev-0}]}},
  reservedFor: [{resource: pods, name: probe, uid: $(kubectl -n lab get pod probe -o jsonpath='{.metadata.uid}')}]}"
kubectl -n lab patch pod probe --subresource=status --type=merge -p "status: {phase: Pending,
  conditions: [$(condition Ready False ContainersNotReady 'containers with unready status: [main]')],
  containerStatuses: [{name: main, image: none, imageID: none, ready: false, restartCount: 0,
    state: {waiting: {reason: ContainerCreating}}}]}"
[ -n "${TWIN:-}" ] || event lab pod probe FailedPrepareDynamicResources "Failed to prepare dynamic resources: plugin name fabric.gull.example not found in the list of registered DRA plugins" kubelet
kubectl -n lab delete pod probe --wait=false
late
aged 30 /registry/pods/lab/probe pod probe -n lab
