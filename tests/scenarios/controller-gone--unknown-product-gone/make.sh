# A product that is in no catalogue was uninstalled. Its CRD remains, with its Helm labels and
# annotations.
node worker Ready
crd vaultsyncs sync.example.com VaultSync
released_by security vault-sync crd vaultsyncs.sync.example.com
kubectl annotate crd vaultsyncs.sync.example.com helm.sh/resource-policy=keep
# An unrelated Deployment with the operator's name.
operator web vault-sync 1 pods. configmaps.
pods_ready web vault-sync
# An unrelated Deployment with every permission.
operator robots labour-robot 1
kubectl create clusterrolebinding labour-robot --clusterrole=cluster-admin --serviceaccount=robots:labour-robot
pods_ready robots labour-robot
kubectl create namespace shop
object shop VaultSync.v1.sync.example.com payment
finalizer shop vaultsyncs payment sync.example.com/revoke vault-sync
delete_namespace shop
