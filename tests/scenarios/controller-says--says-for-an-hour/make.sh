# An operator that runs elsewhere writes to a tenant every few seconds and has reported the same
# reason for an hour.
crd tenants hub.example Tenant
kubectl create namespace shop
object shop Tenant.v1.hub.example blue
finalizer shop tenants.hub.example blue hub.example/members hub-agent
kubectl -n shop delete tenants.hub.example blue --wait=false
says shop tenants.hub.example blue hub-agent \
  "{conditions: [$(condition Ready False Deleting 'retention lock vault-7 keeps its records')]}"
aged 60 /registry/hub.example/tenants/shop/blue tenants.hub.example blue -n shop
says shop tenants.hub.example blue hub-agent "{seen: '$(now)'}"
