# Each agent handles the shelves of its zone. The agent in the shelf's zone runs and reports a
# missing Secret.
node west Ready
node east Ready
kubectl label node west topology.kubernetes.io/zone=eu-1a
kubectl label node east topology.kubernetes.io/zone=eu-1b
kubectl taint node east hardware=fpga:NoExecute
crd shelves racklane.dev Shelf
agents rack rack-agent shelves.racklane.dev 'tolerations: [{key: hardware, operator: Exists}]'
agents_ready rack rack-agent 2
kubectl create namespace shop
object shop Shelf.v1.racklane.dev s1 '{zone: eu-1b}'
finalizer shop shelves.racklane.dev s1 racklane.dev/shelf rack-agent
kubectl -n shop delete shelves.racklane.dev s1 --wait=false
says shop shelves.racklane.dev s1 rack-agent \
  "{conditions: [$(condition Released False ReleaseFailed 'Secret "shelf-key" not found')]}"
late
