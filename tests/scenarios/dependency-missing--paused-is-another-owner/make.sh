# A fleet is paused, but the ship belongs to another fleet. Its operator reports a missing Secret.
node worker Ready
crd fleets harbormaster.dev Fleet
crd ships harbormaster.dev Ship
operator harbor harbormaster 1 ships.harbormaster.dev fleets.harbormaster.dev
pods_ready harbor harbormaster
kubectl create namespace shop
object shop Fleet.v1.harbormaster.dev north
object shop Fleet.v1.harbormaster.dev south
object shop Ship.v1.harbormaster.dev gull '{berth: 4}'
kubectl -n shop patch ships.harbormaster.dev gull --type=merge \
  -p "metadata: {ownerReferences: [$(owner fleets.harbormaster.dev south shop false)]}"
finalizer shop ships.harbormaster.dev gull harbormaster.dev/berth harbormaster
kubectl -n shop annotate fleets.harbormaster.dev north harbormaster.dev/paused=true
kubectl -n shop annotate fleets.harbormaster.dev south harbormaster.dev/paused=false
kubectl -n shop delete ships.harbormaster.dev gull --wait=false
says shop ships.harbormaster.dev gull harbormaster \
  "{conditions: [$(condition Ready False Failed 'Secret "berth-login" not found')]}"
late
