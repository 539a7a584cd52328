# An operator deletes what it had another product make, and waits until that is gone. Nothing on its own object says so;
# what it deleted has its label, and the other product is at zero. A truck of somebody else is held, too, and has no label.
node worker Ready
settled worker
crd convoys caravan.example Convoy
crd trucks haul.example Truck
works 600 caravan leader convoys.caravan.example trucks.haul.example
operator haul driver 0 trucks.haul.example
works 600 yarn spinner configmaps.
kubectl create namespace road
object road Convoy.v1.caravan.example north
finalizer road convoys.caravan.example north caravan.example/arrive leader
for name in first second others; do
  object road Truck.v1.haul.example $name
  finalizer road trucks.haul.example $name haul.example/park driver
done
[ -n "${TWIN:-}" ] || kubectl -n road label trucks.haul.example first second caravan.example/convoy=yes
kubectl -n road delete convoys.caravan.example north --wait=false
kubectl -n road delete trucks.haul.example first second --wait=false
late
aged 30 /registry/caravan.example/convoys/road/north convoys.caravan.example north -n road
for name in first second; do
  aged 29 /registry/haul.example/trucks/road/$name trucks.haul.example $name -n road
done
