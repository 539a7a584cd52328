# A fail-closed webhook without a backend refuses the garbage collector's DELETE of a dependent.
kubectl create namespace shop
owned shop store
owned shop database "" "$(owner cm store shop)"
dead_webhook guard DELETE "" configmaps '{matchLabels: {kubernetes.io/metadata.name: shop}}'
foreground cm store -n shop --dry-run=server && exit 1
kubectl patch validatingwebhookconfiguration guard --type=json \
  -p '[{"op":"add","path":"/webhooks/0/objectSelector","value":{"matchExpressions":[{"key":"guarded","operator":"Exists"}]}}]'
kubectl -n shop label cm database guarded=true
sleep 2
foreground cm store -n shop
late
