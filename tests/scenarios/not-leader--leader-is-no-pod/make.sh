# A pod that does not exist holds the leader lease, and the lease is renewed. The operator that runs
# here waits to become the leader.
node worker Ready
crd ships harbormaster.dev Ship
operator harbor harbormaster 1 ships.harbormaster.dev
pods_ready harbor harbormaster
leading harbor harbormaster-leader harbormaster-5c689d88bb-x7k2p_1
kubectl create namespace shop
object shop Ship.v1.harbormaster.dev gull '{berth: 4}'
finalizer shop ships.harbormaster.dev gull harbormaster.dev/berth harbormaster
kubectl -n shop delete ships.harbormaster.dev gull --wait=false
late
