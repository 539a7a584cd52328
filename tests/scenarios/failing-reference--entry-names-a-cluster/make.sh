# The controllers of each downstream cluster have an entry with its name. That cluster is not connected. Another is.
node worker Ready
settled worker
crd rolegrants flotilla.example RoleGrant Cluster
crd ships flotilla.example Ship Cluster
works 600 flotilla flotilla-server rolegrants.flotilla.example ships.flotilla.example
object "" Ship.v1.flotilla.example h-k-7x2vdq9k
says "" ships.flotilla.example h-k-7x2vdq9k flotilla-server "{conditions: [$(condition Connected "${CONNECTED:-False}")]}"
object "" Ship.v1.flotilla.example h-k-2q0aaaaa
says "" ships.flotilla.example h-k-2q0aaaaa flotilla-server "{conditions: [$(condition Connected True)]}"
object "" RoleGrant.v1.flotilla.example crew
finalizer "" rolegrants.flotilla.example crew controller.flotilla.example/ship-grant-sync_h-k-7x2vdq9k flotilla-server
kubectl delete rolegrants.flotilla.example crew --wait=false
aged 30 /registry/flotilla.example/rolegrants/crew rolegrants.flotilla.example crew
