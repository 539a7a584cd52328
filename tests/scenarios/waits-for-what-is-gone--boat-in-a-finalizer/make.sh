# An operator sets a finalizer on a dock for each boat there, and removes it when the boat leaves. A
# boat was removed by force while the operator was down. A boat of that name in another namespace and
# another boat are well.
node worker Ready
settled worker
crd docks ferryman.example Dock
crd boats ferryman.example Boat
works 600 ferry ferryman docks.ferryman.example boats.ferryman.example
kubectl create namespace north
kubectl create namespace south
object south Boat.v1.ferryman.example tern
object north Boat.v1.ferryman.example gull
[ -z "${TWIN:-}" ] || object north Boat.v1.ferryman.example tern
object north Dock.v1.ferryman.example pier
finalizer north docks.ferryman.example pier boat.tern ferryman
kubectl -n north delete docks.ferryman.example pier --wait=false
aged 40 /registry/ferryman.example/docks/north/pier docks.ferryman.example pier -n north
