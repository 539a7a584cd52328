# An operator says what it waits for, a moment ago, and that is going.
crd tenants hub.example Tenant
kubectl create namespace shop
object shop Tenant.v1.hub.example green
finalizer shop tenants.hub.example green hub.example/members hub-agent
kubectl -n shop delete tenants.hub.example green --wait=false
late
says shop tenants.hub.example green hub-agent \
  "{conditions: [$(condition Ready False Deleting 'waiting for control plane to be deleted')]}"
