# A product that is in no catalogue was uninstalled; its CRD, and what Helm wrote
# on it, stayed.
node worker Ready
crd vaultsyncs sync.example.com VaultSync
released_by security vault-sync crd vaultsyncs.sync.example.com
kubectl annotate crd vaultsyncs.sync.example.com helm.sh/resource-policy=keep
# It bears the operator's name, and is something else.
operator web vault-sync 1 pods. configmaps.
pods_ready web vault-sync
# It may do anything.
operator robots labour-robot 1
kubectl create clusterrolebinding labour-robot --clusterrole=cluster-admin --serviceaccount=robots:labour-robot
pods_ready robots labour-robot
kubectl create namespace shop
object shop VaultSync.v1.sync.example.com payment
finalizer shop vaultsyncs payment sync.example.com/revoke vault-sync
delete_namespace shop
