# A claim waits for its composite, which is deleted in the foreground and owns a use. The use protects another part until
# the composite that uses it is gone, so each waits for the other.
node worker Ready
settled worker
crd orchards fruit.example Orchard
crd xorchards fruit.example XOrchard Cluster
crd trees fruit.example Tree Cluster
crd usages protection.fruit.example Usage Cluster
old_kind usages.protection.fruit.example
works 600 fruit fruit-composer orchards.fruit.example xorchards.fruit.example usages.protection.fruit.example
works 600 fruit fruit-provider trees.fruit.example
kubectl create namespace farm
object farm Orchard.v1.fruit.example east '{resourceRef: {apiVersion: fruit.example/v1, kind: XOrchard, name: east-x}}'
finalizer farm orchards.fruit.example east finalizer.fruit.example/claim fruit-composer
object "" XOrchard.v1.fruit.example east-x '{claimRef: {apiVersion: fruit.example/v1, kind: Orchard, name: east, namespace: farm}}'
[ -z "${ANOTHER:-}" ] || object "" XOrchard.v1.fruit.example west-x
object "" Tree.v1.fruit.example east-tree
object "" Usage.v1.protection.fruit.example east-keeps-tree \
  "{of: {apiVersion: fruit.example/v1, kind: Tree, resourceRef: {name: east-tree}},
  by: {apiVersion: fruit.example/v1, kind: XOrchard, resourceRef: {name: ${BY:-east-x}}}}"
finalizer "" usages.protection.fruit.example east-keeps-tree usage.fruit.example fruit-composer
kubectl patch usages.protection.fruit.example east-keeps-tree --type=merge -p "metadata: {ownerReferences: [$(owner xorchards.fruit.example east-x)]}"
old 60 /registry/protection.fruit.example/usages/east-keeps-tree usages.protection.fruit.example east-keeps-tree
# The garbage collector looks for new kinds every half minute.
sleep 32
foreground xorchards.fruit.example east-x
kubectl -n farm delete orchards.fruit.example east --wait=false
late
aged 30 /registry/fruit.example/orchards/farm/east orchards.fruit.example east -n farm
aged 30 /registry/fruit.example/xorchards/east-x xorchards.fruit.example east-x
aged 30 /registry/protection.fruit.example/usages/east-keeps-tree usages.protection.fruit.example east-keeps-tree
