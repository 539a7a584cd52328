# A network waits for its gateway, and the gateway for its network.
node worker Ready
crd networks acme.io Network
crd gateways acme.io Gateway
operator ops acme-operator 1 networks.acme.io gateways.acme.io
pods_ready ops acme-operator
leading ops acme-operator-leader acme-operator-7c9f_1
kubectl create namespace shop
object shop Network.v1.acme.io backbone
object shop Gateway.v1.acme.io edge '{networkRef: {name: backbone}}'
finalizer shop networks.acme.io backbone acme.io/network acme-operator
finalizer shop gateways.acme.io edge acme.io/gateway acme-operator
delete_namespace shop
says shop networks.acme.io backbone acme-operator \
  "{conditions: [$(condition Deleted False InUse 'Gateway edge still uses this network')]}"
says shop gateways.acme.io edge acme-operator \
  "{conditions: [$(condition Deleted False WaitingForNetwork 'Network backbone has to be deleted first')]}"
