# An owner is deleted in the foreground. Its dependent, which is younger than the deletion, is being
# deleted, too, and waits for an operator that is scaled to 0.
node worker Ready
settled worker
crd parts tuff.example Part
leads tuff tuff-operator tuff-lead 0 parts.tuff.example
works 600 gneiss gneiss-operator configmaps.
kubectl create namespace shop
owned shop web
object shop Part.v1.tuff.example web-a
ref=$(owner cm web shop)
kubectl -n shop patch parts.tuff.example web-a --type=merge --field-manager=tuff-operator \
  -p "metadata: {ownerReferences: [$ref], finalizers: [tuff.example/part]}"
watched shop Part.v1.tuff.example
seen
foreground cm web -n shop
going() { test -n "$(kubectl -n shop get parts.tuff.example web-a -o jsonpath='{.metadata.deletionTimestamp}')"; }
wait_for 30 "the dependent is being deleted" going
late
aged 30 /registry/configmaps/shop/web cm web -n shop
