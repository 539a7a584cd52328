# A device of a node was claimed for virtual machines, but the driver for that never loaded. The
# claim is deleted, and the node's agent gives the device back to its usual driver, which already
# has it: "no such device". The agent keeps trying, and only its log says so. The agents of other
# nodes also fail, because the device is not on their node.
kubelet
node_with_kubelet node1
node_with_kubelet node2
settled node1 node2
crd pcidevices devices.harvesterhci.io PCIDevice Cluster v1beta1
crd pcideviceclaims devices.harvesterhci.io PCIDeviceClaim Cluster v1beta1
crd virtualmachines kubevirt.io VirtualMachine
# for_hours NAMESPACE NAME sets agents running for ten hours.
for_hours() {
  local then
  then=$(date -u -d '-10 hours' +%FT%TZ)
  pods_status "$1" "$2" "{phase: Running, startTime: \"$then\", conditions: [{type: Ready, status: 'True', lastTransitionTime: '$then'}],
    containerStatuses: [{name: agent, image: x, imageID: x, ready: true, restartCount: 0, state: {running: {startedAt: \"$then\"}}}]}"
}
agents harvester-system harvester-pcidevices-controller pcideviceclaims.devices.harvesterhci.io
kubectl apply -f - <<'YAML'
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: harvester-system-harvester-pcidevices-controller, labels: {app.kubernetes.io/managed-by: Helm}}
rules:
- {apiGroups: [devices.harvesterhci.io], resources: ["*"], verbs: [get, watch, list, update, create, delete]}
- {apiGroups: [""], resources: [nodes], verbs: [get, watch, list, update]}
- {apiGroups: [kubevirt.io], resources: [virtualmachines, virtualmachineinstances], verbs: [get, list, watch, update]}
YAML
agents_ready harvester-system harvester-pcidevices-controller 2
for_hours harvester-system harvester-pcidevices-controller
operator harvester-system harvester 1 virtualmachines.kubevirt.io
kubectl patch clusterrole harvester-system-harvester --type=json \
  -p '[{"op": "add", "path": "/rules/-", "value": {"apiGroups": ["*"], "resources": ["*"], "verbs": ["*"]}}]'
pods_on node2 harvester-system harvester
pods_running_since 600 harvester-system harvester
# A webhook that allows the deletion unless a machine uses the device.
backend ok
live_webhook Validating pcidevices-validator ok 'CREATE, DELETE' devices.harvesterhci.io pcideviceclaims
# device NODE DRIVER creates the device, which has the same address on each node.
device() {
  kubectl apply --field-manager=pcidevices -f - <<YAML
apiVersion: devices.harvesterhci.io/v1beta1
kind: PCIDevice
metadata: {name: $1-000004000, labels: {nodename: $1}, annotations: {harvesterhci.io/pcideviceDriver: bnx2x}}
spec: {}
status: {address: "0000:04:00.0", vendorId: 14e4, deviceId: 168e, classId: "0200", iommuGroup: "29", nodeName: $1,
  resourceName: broadcom.com/NETXTREME_II_BCM57810_10_GIGABIT_ETHERNET, kernelDriverInUse: $2,
  description: "Ethernet controller: Broadcom Inc. and subsidiaries NetXtreme II BCM57810 10 Gigabit Ethernet"}
YAML
}
device node1 bnx2x
device node2 vfio-pci
# claim NODE creates a claim as the dashboard does.
claim() {
  kubectl apply --field-manager=harvester -f - <<YAML
apiVersion: devices.harvesterhci.io/v1beta1
kind: PCIDeviceClaim
metadata: {name: $1-000004000, labels: {nodename: $1}, ownerReferences: [$(owner pcidevice "$1-000004000")]}
spec: {address: "0000:04:00.0", nodeName: $1, userName: admin}
YAML
  finalizer "" pcideviceclaims "$1-000004000" wrangler.cattle.io/PCIDeviceClaimOnRemove pcidevices
}
claim node1
claim node2
kubectl patch pcideviceclaim node2-000004000 --type=merge --field-manager=pcidevices -p 'status: {passthroughEnabled: true, kernelDriverToUnbind: bnx2x}'
kubectl delete pcideviceclaim node1-000004000 --wait=false
late
aged 90 /registry/devices.harvesterhci.io/pcideviceclaims/node1-000004000 pcideviceclaim node1-000004000
for pod in $(pods_of harvester-system harvester-pcidevices-controller); do
  on=$(kubectl -n harvester-system get pod "$pod" -o jsonpath='{.spec.nodeName}')
  # writes LEVEL MESSAGE writes a line to the agent's log.
  writes() { log harvester-system "$pod" agent "time=\"$(now)\" level=$1 msg=\"$2\""; }
  writes info 'Reconciling PCI Devices list'
  for try in 1 2 3; do
    if [ "$on" = node1 ]; then
      writes error 'Error writing to bind file: write /sys/bus/pci/drivers/bnx2x/bind: no such device'
      writes error "error syncing 'node1-000004000': handler PCIDeviceClaimOnRemove: write /sys/bus/pci/drivers/bnx2x/bind: no such device, requeuing"
    else
      writes error "error syncing 'node1-000004000': handler PCIDeviceClaimOnRemove: controller node2 cannot process claims for node node1, requeuing"
    fi
  done
done
