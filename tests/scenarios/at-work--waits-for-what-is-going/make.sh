# An operator has just reported what it waits for, and that is being deleted.
crd tenants hub.example Tenant
kubectl create namespace shop
object shop Tenant.v1.hub.example green
finalizer shop tenants.hub.example green hub.example/members hub-agent
kubectl -n shop delete tenants.hub.example green --wait=false
late
says shop tenants.hub.example green hub-agent \
  "{conditions: [$(condition Ready False Deleting 'waiting for control plane to be deleted')]}"
