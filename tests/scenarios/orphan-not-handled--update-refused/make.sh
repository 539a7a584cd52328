# A webhook refuses the update that would remove the owner reference from one of two dependents.
kubectl create namespace shop
owned shop store
owned shop database "" "$(owner cm store shop)"
owned shop cache "" "$(owner cm store shop)"
kubectl -n shop label cm database guarded=true
dead_webhook guard UPDATE "" configmaps '{matchLabels: {kubernetes.io/metadata.name: shop}}'
kubectl patch validatingwebhookconfiguration guard --type=json \
  -p '[{"op":"add","path":"/webhooks/0/objectSelector","value":{"matchExpressions":[{"key":"guarded","operator":"Exists"}]}}]'
sleep 2
kubectl -n shop delete cm store --cascade=orphan --wait=false
late
