# An annotation tells a tool that applies manifests not to touch a ship. That tool is not the ship's
# operator, which reports why it cannot release the ship.
node worker Ready
crd ships harbormaster.dev Ship
operator harbor harbormaster 1 ships.harbormaster.dev
pods_ready harbor harbormaster
kubectl create namespace shop
object shop Ship.v1.harbormaster.dev gull '{berth: 4, paused: false}'
finalizer shop ships.harbormaster.dev gull harbormaster.dev/berth harbormaster
kubectl -n shop annotate ships.harbormaster.dev gull gitsync.tools/reconcile=disabled
kubectl -n shop delete ships.harbormaster.dev gull --wait=false
says shop ships.harbormaster.dev gull harbormaster \
  "{conditions: [$(condition Ready False TugUnreachable 'cannot free berth 4: dial tcp 192.0.2.9:443: i/o timeout')]}"
late
