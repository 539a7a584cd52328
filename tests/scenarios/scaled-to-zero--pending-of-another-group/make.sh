# A provider at zero holds a stuck setting. It also handles databases, a kind of another group.
# Somebody deleted the production database by mistake, and it exists only because the provider does
# not run.
crd settings config.northwind.example Setting Cluster
crd servers sql.southwind.example Server
operator ops wind-provider 0 settings.config.northwind.example servers.sql.southwind.example
kubectl create namespace production
kubectl create namespace shop
object "" Setting.v1.config.northwind.example default
finalizer "" settings default in-use.northwind.example wind-provider
object production Server.v1.sql.southwind.example customers
finalizer production servers customers external.southwind.example wind-provider
object shop Server.v1.sql.southwind.example kept
finalizer shop servers kept external.southwind.example wind-provider
kubectl -n production delete server customers --wait=false
kubectl delete setting default --wait=false
late
