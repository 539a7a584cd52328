# The message of a controller names a Secret without its namespace. The provider that the object names, has that
# namespace, and the Secret is gone from there.
node worker Ready
crd buckets cloud.quarry.example Bucket Cluster
crd providerconfigs quarry.example ProviderConfig Cluster
works 900 quarry quarry-operator buckets.cloud.quarry.example providerconfigs.quarry.example
object "" ProviderConfig.v1.quarry.example west \
  '{credentials: {source: Secret, secretRef: {namespace: quarry, name: west-login, key: token}}}'
[ -z "${TWIN:-}" ] || kubectl -n quarry create secret generic west-login --from-literal=token=value
kubectl create namespace shop
kubectl -n shop create secret generic other-login --from-literal=token=value
hung 30 "" Bucket.v1.cloud.quarry.example buckets assets quarry.example/managed quarry-operator \
  '{providerConfigRef: {name: west}}'
failure='cannot connect to the provider: cannot get the credentials: Secret "west-login" not found'
says "" buckets.cloud.quarry.example assets quarry-operator \
  "{observedGeneration: 3, conditions: [$(condition Synced False ReconcileError "$failure")]}"
