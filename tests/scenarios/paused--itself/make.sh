# Somebody paused a ship for a repair and deleted it later. The operator skips paused ships.
node worker Ready
crd ships harbormaster.dev Ship
operator harbor harbormaster 1 ships.harbormaster.dev
pods_ready harbor harbormaster
kubectl create namespace shop
object shop Ship.v1.harbormaster.dev gull '{berth: 4}'
object shop Ship.v1.harbormaster.dev tern '{berth: 5}'
finalizer shop ships.harbormaster.dev gull harbormaster.dev/berth harbormaster
finalizer shop ships.harbormaster.dev tern harbormaster.dev/berth harbormaster
kubectl -n shop patch ships.harbormaster.dev gull --type=merge -p 'spec: {paused: true}'
kubectl -n shop delete ships.harbormaster.dev gull --wait=false
late
