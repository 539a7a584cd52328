# Each agent handles the shelves of its zone. The node of one zone has a taint that the DaemonSet
# does not tolerate, so no agent runs in that zone.
node west Ready
node east Ready
kubectl label node west topology.kubernetes.io/zone=eu-1a
kubectl label node east topology.kubernetes.io/zone=eu-1b
kubectl taint node east hardware=fpga:NoExecute
crd shelves racklane.dev Shelf
agents rack rack-agent shelves.racklane.dev
agents_ready rack rack-agent 1
kubectl create namespace shop
object shop Shelf.v1.racklane.dev s1 '{zone: eu-1b}'
finalizer shop shelves.racklane.dev s1 racklane.dev/shelf rack-agent
kubectl -n shop delete shelves.racklane.dev s1 --wait=false
late
