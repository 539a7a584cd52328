# The controller of a machine drains its node and reports what is left. A pod there has a grace
# period of twelve hours that began a few minutes ago.
node worker Ready
node old Ready
settled worker old
kubectl create namespace shop
crd machines fleet.larch.example Machine
leads larch larch-machines larch-lead 1 machines.fleet.larch.example nodes. pods.
object shop Machine.v1.fleet.larch.example old-7 '{providerID: larch://old-7}'
finalizer shop machines.fleet.larch.example old-7 larch.example/machine larch-machines
says shop machines.fleet.larch.example old-7 larch-machines '{nodeRef: {kind: Node, apiVersion: v1, name: old}, phase: Running}'
pod shop batch-7 old 43200
phase shop batch-7 Running
deleted 20 machines.fleet.larch.example old-7 shop
kubectl cordon old
kubectl -n shop delete pod batch-7 --wait=false
late
if [ -n "${TWIN:-}" ]; then aged 750 /registry/pods/shop/batch-7 pod batch-7 -n shop; fi
says shop machines.fleet.larch.example old-7 larch-machines "{phase: Deleting, conditions: [
  $(condition DrainingSucceeded False Draining 'Drain not completed yet (started at 2026-11-30T10:00:00Z): Pod shop/batch-7: deletionTimestamp set, but still not removed from the Node')]}"
event shop machines.fleet.larch.example old-7 FailedDrainNode 'error draining node old: 1 pod still terminating: shop/batch-7' larch-machines
