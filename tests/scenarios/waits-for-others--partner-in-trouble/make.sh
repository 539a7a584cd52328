# A server waits for "the host". An annotation names the host, and the host reports why it is not
# ready.
node worker Ready
settled worker
crd servers racks.example Server
crd barehosts racks.example BareHost
works 600 racks rack-controller servers.racks.example barehosts.racks.example
works 600 ops dhcp-controller barehosts.racks.example
kubectl create namespace metal
for name in rack-7 rack-8; do
  object metal BareHost.v1.racks.example $name '{online: true}'
  says metal barehosts.racks.example $name rack-controller "{conditions: [$(condition Ready True Provisioned 'has its image')]}"
done
says metal barehosts.racks.example rack-7 rack-controller \
  "{conditions: [$(condition Ready False InspectionFailed 'the inspection failed: its controller did not answer on port 623')]}"
object metal Server.v1.racks.example db-1
kubectl -n metal annotate servers.racks.example db-1 racks.example/barehost=metal/${HOST:-rack-7} --field-manager=rack-controller
finalizer metal servers.racks.example db-1 racks.example/give-back rack-controller
kubectl -n metal delete servers.racks.example db-1 --wait=false
says metal servers.racks.example db-1 rack-controller \
  "{conditions: [$(condition Ready False WaitingForHost 'host is still provisioning, waiting')]}"
late
aged 40 /registry/racks.example/servers/metal/db-1 servers.racks.example db-1 -n metal
