# An operator deletes objects that another product handles and waits until they are gone, but its
# own object does not report that. The deleted objects have the operator's label, and the other
# product is at zero. An unrelated truck has no label and is held too.
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
