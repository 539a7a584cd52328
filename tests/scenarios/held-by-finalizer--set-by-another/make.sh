# Two products guard what one of them has made. The one that has set the finalizer was
# removed; the other, whose kind it is, writes the status, says that it has trouble of its
# own, and is parked. A Service beside it has a status that its proxy writes, which is
# parked too, and a finalizer of nobody knows whom.
crd databases acme.io Database
operator ops acme-operator 0 databases.acme.io
released_by ops acme-operator crd databases.acme.io
deployment ops edge-proxy 0
kubectl create namespace shop
object shop Database.v1.acme.io orders
finalizer shop databases.acme.io orders snapshots.example/kept snapshot-agent
kubectl -n shop create service loadbalancer web --tcp=80
kubectl -n shop patch service web --subresource=status --type=merge --field-manager=edge-proxy \
  -p 'status: {loadBalancer: {ingress: [{ip: 192.0.2.7}]}}'
finalizer shop service web pool.example/member manager
delete_namespace shop
says shop databases.acme.io orders acme-operator \
  "{conditions: [$(condition Ready False Stopped 'cannot reach its primary: connection refused')]}"
