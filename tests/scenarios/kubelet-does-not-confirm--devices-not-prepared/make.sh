# The pod of a virtual machine never started: of the two drivers of its claim, the network driver
# could not prepare its device. The pod was deleted and its generated claim is gone, but the kubelet
# keeps asking for that claim, which only its log says.
node worker Ready
node other Ready
settled worker other
crd virtualmachineinstances kubevirt.io VirtualMachineInstance
operator kubevirt virt-controller 1 virtualmachineinstances.kubevirt.io pods.
pods_on other kubevirt virt-controller
pods_running_since 600 kubevirt virt-controller
leading kubevirt virt-controller virt-controller-5f7c_1
# agent NAMESPACE NAME creates a DaemonSet with a running pod on each node, as device drivers have.
agent() {
  service_account "$1" "$2"
  kubectl apply -f - <<YAML
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: $2, namespace: $1}
spec:
  selector: {matchLabels: {app.kubernetes.io/name: $2}}
  template:
    metadata: {labels: {app.kubernetes.io/name: $2}}
    spec:
      serviceAccountName: $2
      automountServiceAccountToken: false
      containers: [{name: manager, image: example.invalid/$2}]
YAML
  local pod
  sleep 2
  for pod in $(pods_of "$1" "$2"); do
    kubectl -n "$1" patch pod "$pod" --subresource=status --type=merge -p "status: {phase: Running, conditions: [$(condition Ready True)],
      containerStatuses: [{name: manager, image: x, imageID: x, ready: true, restartCount: 0, state: {running: {startedAt: \"$(date -u -d -10hours +%FT%TZ)\"}}}]}"
  done
}
agent intel-gpu intel-gpu-resource-driver
agent sriov dra-driver-sriov
for of in gpu.intel.com sriovnetwork.k8snetworkplumbingwg.io; do
  kubectl apply -f - <<YAML
apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata: {name: $of}
spec: {selectors: [{cel: {expression: 'device.driver == "$of"'}}]}
---
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {name: worker-$of}
spec: {driver: $of, nodeName: worker, pool: {name: worker, generation: 1, resourceSliceCount: 1}, devices: [{name: dev-0}]}
YAML
done
kubectl create namespace vms
kubectl -n vms apply -f - <<'YAML'
apiVersion: resource.k8s.io/v1
kind: ResourceClaimTemplate
metadata: {name: pgpu-nic}
spec:
  spec:
    devices:
      requests:
      - {name: gpu, exactly: {deviceClassName: gpu.intel.com}}
      - {name: nic, exactly: {deviceClassName: sriovnetwork.k8snetworkplumbingwg.io}}
YAML
object vms VirtualMachineInstance.v1.kubevirt.io vmi-dra-pgpu-nic
kubectl -n vms apply -f - <<YAML
apiVersion: v1
kind: Pod
metadata:
  name: virt-launcher-vmi-dra-pgpu-nic-8m27v
  labels: {kubevirt.io: virt-launcher, vm.kubevirt.io/name: vmi-dra-pgpu-nic}
  ownerReferences: [$(owner virtualmachineinstances.kubevirt.io vmi-dra-pgpu-nic vms)]
spec:
  nodeName: worker
  automountServiceAccountToken: false
  terminationGracePeriodSeconds: 60
  resourceClaims: [{name: devices, resourceClaimTemplateName: pgpu-nic}]
  containers: [{name: compute, image: example.invalid/virt-launcher, resources: {claims: [{name: devices}]}}]
YAML
pod=virt-launcher-vmi-dra-pgpu-nic-8m27v
kubectl -n vms patch pod $pod --subresource=status --type=merge -p "status: {phase: Pending,
  conditions: [$(condition PodScheduled True), $(condition Ready False ContainersNotReady 'containers with unready status: [compute]')],
  containerStatuses: [{name: compute, image: example.invalid/virt-launcher, imageID: '', ready: false, restartCount: 0,
    state: {waiting: {reason: ContainerCreating}}}]}"
event vms pod $pod FailedPrepareDynamicResources \
  'Failed to prepare dynamic resources: NodePrepareResources failed for ResourceClaim virt-launcher-vmi-dra-pgpu-nic-8m27v-devices-x7kq2: request nic: prepare device dev-0: no network attachment definition' kubelet
kubectl -n vms delete pod $pod --wait=false
if [ -z "${TWIN:-}" ]; then
  # The resource claim controller has deleted the claim that it created for the pod.
  for claim in $(kubectl -n vms get resourceclaims -o name); do kubectl -n vms delete "$claim" --wait=false; done
  kubectl -n vms get resourceclaims -o name | while read -r claim; do
    kubectl -n vms patch "$claim" --type=merge -p 'metadata: {finalizers: []}'
  done
  kubectl -n vms patch pod $pod --subresource=status --type=merge -p 'status: {resourceClaimStatuses: null}'
fi
aged 40 "/registry/pods/vms/$pod" pod $pod -n vms
