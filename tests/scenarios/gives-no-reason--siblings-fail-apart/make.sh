# A controller gives no reason for a gate that is being deleted. For each other gate it reports a
# different failure.
node worker Ready
settled worker
crd gates roads.example Gate
works 600 roads gate-keeper gates.roads.example
works 600 ops road-sweeper gates.roads.example
kubectl create namespace city
for name in north south east; do
  object city Gate.v1.roads.example $name
  finalizer city gates.roads.example $name roads.example/close gate-keeper
done
kubectl -n city delete gates.roads.example north --wait=false
late
aged 30 /registry/roads.example/gates/city/north gates.roads.example north -n city
event city gates.roads.example south SpringBroken 'the spring of gate south is broken: it cannot be moved' gate-keeper
event city gates.roads.example east CannotPaint 'the paint for gate east is missing' gate-keeper
