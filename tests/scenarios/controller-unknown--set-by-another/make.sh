# Two products guard one database. The product that set the finalizer was removed. The other product
# owns the kind, writes the status, reports its own failure, and is at zero. The status of a Service
# comes from a proxy that is at zero too, and an unknown controller set its finalizer.
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
