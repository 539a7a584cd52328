# An operator started before the definition of its kind was applied and does not watch the kind. It
# never wrote to the object.
node worker Ready
operator harbor harbormaster 1 ships.harbormaster.dev
pods_ready harbor harbormaster
pods_running_since 30 harbor harbormaster
crd ships harbormaster.dev Ship
released_by harbor harbormaster crd ships.harbormaster.dev
kubectl create namespace shop
object shop Ship.v1.harbormaster.dev gull '{berth: 4}'
finalizer shop ships.harbormaster.dev gull harbormaster.dev/berth kubectl
kubectl -n shop delete ships.harbormaster.dev gull --wait=false
aged 5 /registry/harbormaster.dev/ships/shop/gull ships.harbormaster.dev gull -n shop
