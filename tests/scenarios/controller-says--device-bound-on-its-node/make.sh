# The agent of a device's node gives the device back to a driver that has it already, is refused, and tries
# for ever. Only its log says so (logfmt). The agent of another node says that the claim is not its own.
for node in node1 node2; do served_by $node; done
crd pcideviceclaims devices.harvesterhci.io PCIDeviceClaim Cluster v1beta1
agents harvester-system pcidevices-controller pcideviceclaims.devices.harvesterhci.io
agents_ready harvester-system pcidevices-controller 2
pods_running_since 600 harvester-system pcidevices-controller agent
hung 5 "" PCIDeviceClaim.v1beta1.devices.harvesterhci.io pcideviceclaims node1-000004000 wrangler.cattle.io/PCIDeviceClaimOnRemove pcidevices \
  '{address: "0000:04:00.0", nodeName: node1, userName: admin}'
# agent_on NODE prints the name of the agent on a node.
agent_on() { kubectl -n harvester-system get pods --field-selector="spec.nodeName=$1" -o jsonpath='{.items[0].metadata.name}'; }
logged harvester-system "$(agent_on node2)" agent node2-000004000 <<'LOG'
time="@iso" level=error msg="error syncing 'node1-000004000': handler PCIDeviceClaimOnRemove: controller node2 cannot process claims for node node1, requeuing"
LOG
[ -n "${TWIN:-}" ] || logged harvester-system "$(agent_on node1)" agent node2-000004000 <<'LOG'
time="@iso" level=error msg="error syncing 'node1-000004000': handler PCIDeviceClaimOnRemove: write /sys/bus/pci/drivers/bnx2x/bind: no such device, requeuing"
LOG
