# An operator runs in another cluster or on somebody's machine, so only its writes are visible here.
# It has written since the deletion. The operator of another kind is scaled to zero.
crd tenants hub.example Tenant
crd widgets acme.io Widget
operator ops acme-operator 0 widgets.acme.io
kubectl create namespace shop
object shop Tenant.v1.hub.example blue
finalizer shop tenants.hub.example blue hub.example/members hub-agent
delete_namespace shop
says shop tenants.hub.example blue hub-agent \
  "{conditions: [$(condition Ready False Deleting 'removed from 3 of 9 members')]}"
