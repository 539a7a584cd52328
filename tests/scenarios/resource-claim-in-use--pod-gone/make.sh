# A claim for devices was created for a pod and was deleted after the pod, but is still reserved for
# it. The resource claim controller has restarted since and skips claims that were deleted before.
# In this test the controller manager does not run, but its lease is renewed.
node worker Ready
settled worker
crd computedomains resource.nvidia.com ComputeDomain Namespaced v1beta1
agents nvidia-dra-driver-gpu nvidia-dra-driver-gpu-kubelet-plugin resourceclaims.resource.k8s.io
agents_ready nvidia-dra-driver-gpu nvidia-dra-driver-gpu-kubelet-plugin 1
works 600 nvidia-dra-driver-gpu nvidia-dra-driver-gpu-controller computedomains.resource.nvidia.com resourceclaimtemplates.resource.k8s.io
kubectl apply -f - <<'YAML'
apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata: {name: compute-domain-default-channel.nvidia.com}
spec: {selectors: [{cel: {expression: 'device.driver == "compute-domain.nvidia.com"'}}]}
---
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {name: worker-compute-domain.nvidia.com}
spec: {driver: compute-domain.nvidia.com, nodeName: worker, pool: {name: worker, generation: 1, resourceSliceCount: 1}, devices: [{name: channel-0}, {name: channel-1}]}
YAML
kubectl create namespace gold-tom
object gold-tom ComputeDomain.v1beta1.resource.nvidia.com gang '{numNodes: 1, channel: {resourceClaimTemplate: {name: gang}}}'
finalizer gold-tom computedomains gang resource.nvidia.com/computeDomain nvidia-dra-driver-gpu-controller
# with_channel POD CLAIM DEVICE creates a running pod and the claim that was generated for it. A
# generated name would be random, so the claim is created with a fixed name before its template.
with_channel() {
  kubectl -n gold-tom apply -f - <<YAML
apiVersion: v1
kind: Pod
metadata: {name: $1}
spec:
  nodeName: worker
  automountServiceAccountToken: false
  terminationGracePeriodSeconds: 30
  resourceClaims: [{name: gang, resourceClaimTemplateName: $1-gang}]
  containers: [{name: main, image: example.invalid/none, resources: {claims: [{name: gang}]}}]
YAML
  kubectl -n gold-tom apply --field-manager=kube-controller-manager -f - <<YAML
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata:
  name: $2
  annotations: {resource.kubernetes.io/pod-claim-name: gang}
  ownerReferences: [{apiVersion: v1, kind: Pod, name: $1, uid: $(kubectl -n gold-tom get pod "$1" -o jsonpath='{.metadata.uid}'), controller: true, blockOwnerDeletion: true}]
spec: {devices: {requests: [{name: channel, exactly: {deviceClassName: compute-domain-default-channel.nvidia.com}}]}}
---
apiVersion: resource.k8s.io/v1
kind: ResourceClaimTemplate
metadata: {name: $1-gang, ownerReferences: [$(owner computedomains gang gold-tom)]}
spec: {spec: {devices: {requests: [{name: channel, exactly: {deviceClassName: compute-domain-default-channel.nvidia.com}}]}}}
YAML
  local claim=$2
  wait_for 60 "the claim of $1" is "$claim" '{.status.resourceClaimStatuses[0].resourceClaimName}' pod "$1" -n gold-tom
  kubectl -n gold-tom patch resourceclaim "$claim" --type=merge --field-manager=kube-scheduler -p 'metadata: {finalizers: [resource.kubernetes.io/delete-protection]}'
  kubectl -n gold-tom patch resourceclaim "$claim" --subresource=status --type=merge --field-manager=kube-scheduler -p "status: {
    allocation: {devices: {results: [{request: channel, driver: compute-domain.nvidia.com, pool: worker, device: $3}]},
      nodeSelector: {nodeSelectorTerms: [{matchFields: [{key: metadata.name, operator: In, values: [worker]}]}]}},
    reservedFor: [{resource: pods, name: $1, uid: $(kubectl -n gold-tom get pod "$1" -o jsonpath='{.metadata.uid}')}]}"
  kubectl -n gold-tom patch pod "$1" --subresource=status --type=merge -p "status: {phase: Running, conditions: [$(condition Ready True)],
    containerStatuses: [{name: main, image: x, imageID: x, ready: true, restartCount: 0, state: {running: {startedAt: \"$(now)\"}}}]}"
}
with_channel armada-16-0 armada-16-0-gang-lds8p channel-0
with_channel armada-17-0 armada-17-0-gang-x4k2m channel-1
held=armada-16-0-gang-lds8p
kubectl -n gold-tom delete events --all
manager KILL
if [ -n "${TWIN:-}" ]; then
  lease kube-system kube-controller-manager master-1_0b9d3c 300
else
  leading kube-system kube-controller-manager master-1_0b9d3c
fi
kubectl -n gold-tom delete pod armada-16-0 --grace-period=0 --force
wait_for 20 "the pod is gone" gone pod armada-16-0 -n gold-tom
kubectl -n gold-tom delete resourceclaim "$held" --wait=false
late
aged 660 "/registry/resourceclaims/gold-tom/$held" resourceclaim "$held" -n gold-tom
