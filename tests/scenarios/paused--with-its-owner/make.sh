# An annotation pauses a fleet and so all its ships, as their operator reports.
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
  -p "metadata: {ownerReferences: [$(owner fleets.harbormaster.dev north shop false)]}"
finalizer shop ships.harbormaster.dev gull harbormaster.dev/berth harbormaster
kubectl -n shop annotate fleets.harbormaster.dev north harbormaster.dev/paused=true
says shop ships.harbormaster.dev gull harbormaster \
  "{conditions: [$(condition Ready Unknown ReconciliationPaused 'the fleet is paused')]}"
sleep 2
kubectl -n shop delete ships.harbormaster.dev gull --wait=false
late
