# A shared note is copied to the namespaces that its selector matches, and each gets a finalizer for it. This namespace
# has lost the label since. Another one still has it.
node worker Ready
settled worker
crd sharednotes notes.heron.example SharedNote Cluster
crd notes notes.heron.example Note
works 600 heron heron-notes sharednotes.notes.heron.example notes.notes.heron.example namespaces.
object "" SharedNote.v1.notes.heron.example menu '{namespaceSelectors: [{matchLabels: {menu: "yes"}}]}'
for name in shop cafe; do
  kubectl create namespace $name
  kubectl label namespace $name menu=yes
  kubectl patch namespace $name --type=merge --field-manager=heron-notes -p 'metadata: {finalizers: [notes.heron.example/shared-menu]}'
done
[ -n "${KEPT:-}" ] || kubectl label namespace shop menu-
kubectl delete namespace shop --wait=false
looked shop
aged 30 /registry/namespaces/shop namespace shop
