# A dependent has another owner, which keeps it. A webhook refuses the update that would remove the
# reference to the deleted owner.
kubectl create namespace shop
owned shop store
owned shop keeper
owned shop shared "" "$(owner cm store shop)" "$(owner cm keeper shop)"
kubectl -n shop label cm shared guarded=true
dead_webhook guard UPDATE "" configmaps '{matchLabels: {kubernetes.io/metadata.name: shop}}'
kubectl patch validatingwebhookconfiguration guard --type=json \
  -p '[{"op":"add","path":"/webhooks/0/objectSelector","value":{"matchExpressions":[{"key":"guarded","operator":"Exists"}]}}]'
sleep 2
foreground cm store -n shop
late
