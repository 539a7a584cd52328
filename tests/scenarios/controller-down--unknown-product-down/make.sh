# A product that is in no catalogue cannot start.
node worker Ready
crd vaultsyncs sync.example.com VaultSync
released_by security vault-sync crd vaultsyncs.sync.example.com
kubectl annotate crd vaultsyncs.sync.example.com helm.sh/resource-policy=keep
# An unrelated Deployment with the operator's name.
operator web vault-sync 1 pods. configmaps.
pods_ready web vault-sync
# An unrelated Deployment with every permission.
operator robots cluster-robot 1
kubectl create clusterrolebinding cluster-robot --clusterrole=cluster-admin --serviceaccount=robots:cluster-robot
pods_ready robots cluster-robot
operator security vault-sync 1 vaultsyncs.sync.example.com
pods_waiting security vault-sync CreateContainerConfigError 'secret "vault-token" not found'
kubectl create namespace shop
object shop VaultSync.v1.sync.example.com payment
finalizer shop vaultsyncs payment sync.example.com/revoke vault-sync
delete_namespace shop
