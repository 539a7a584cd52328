# Like scaled-to-zero--pending-of-another-group, but the setting still has users. Removing its
# finalizer by hand would take away what they need, so starting the provider comes first.
crd settings config.northwind.example Setting Cluster
crd servers sql.southwind.example Server
operator ops wind-provider 0 settings.config.northwind.example servers.sql.southwind.example
kubectl create namespace production
object "" Setting.v1.config.northwind.example default
finalizer "" settings default in-use.northwind.example wind-provider
says "" settings default wind-provider '{users: 2}'
object production Server.v1.sql.southwind.example customers
finalizer production servers customers external.southwind.example wind-provider
kubectl -n production delete server customers --wait=false
kubectl delete setting default --wait=false
late
