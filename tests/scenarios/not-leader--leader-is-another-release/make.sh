# Two releases of one operator share a lease, and the other release's pod leads.
node worker Ready
crd ships harbormaster.dev Ship
operator harbor harbormaster 1 ships.harbormaster.dev
told harbor harbormaster-canary 1 'image: "example.invalid/harbormaster:canary"'
pods_ready harbor harbormaster
pods_ready harbor harbormaster-canary
leading harbor harbormaster-leader "$(pods_of harbor harbormaster-canary)_1"
kubectl create namespace shop
object shop Ship.v1.harbormaster.dev gull '{berth: 4}'
finalizer shop ships.harbormaster.dev gull harbormaster.dev/berth harbormaster
kubectl -n shop delete ships.harbormaster.dev gull --wait=false
late
