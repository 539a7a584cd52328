# A framework set the finalizer of a namespace under its own name, and its label says which operator
# manages the namespace. That operator is scaled to 0. Another one, which uses the framework, too,
# runs.
node worker Ready
settled worker
operator weft weft-manager 0 namespaces.
works 600 warp warp-manager namespaces.
[ -n "${TWIN:-}" ] && manages=warp-manager || manages=weft-manager
kubectl create namespace shop
kubectl label namespace shop loom.framework.example/managed-by=$manages
kubectl annotate namespace shop loom.framework.example/last-handled-configuration='{}'
kubectl patch namespace shop --type=merge --field-manager=loom -p 'metadata: {finalizers: [loom.framework.example/FinalizerMarker]}'
kubectl delete namespace shop --wait=false
looked shop
late
aged 60 /registry/namespaces/shop namespace shop
