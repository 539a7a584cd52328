# A controller removes a placement from the destination that a field names. The destination was
# deleted first. Another destination and its placement are healthy.
node worker Ready
settled worker
crd destinations rollout.example Destination
crd placements rollout.example Placement
works 600 rollout-system rollout placements.rollout.example
kubectl create namespace shop
for destination in west east; do
  kubectl -n shop apply --field-manager=rollout -f - <<YAML
apiVersion: rollout.example/v1
kind: Placement
metadata: {name: orders.$destination}
spec: {targetDestinationName: $destination}
YAML
  kubectl -n shop patch placements.rollout.example orders.$destination --type=merge --field-manager=rollout \
    -p 'metadata: {finalizers: [rollout.example/take-out]}'
  [[ $destination == west && -z ${TWIN:-} ]] || kubectl -n shop apply -f - <<YAML
apiVersion: rollout.example/v1
kind: Destination
metadata: {name: $destination}
YAML
done
kubectl -n shop delete placements.rollout.example orders.west --wait=false
late
aged 95 /registry/rollout.example/placements/shop/orders.west placements.rollout.example orders.west -n shop
