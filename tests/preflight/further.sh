# Objects outside the target that affect its deletion. Each state exists twice, once healthy. One
# running operator handles all these kinds. Nothing here is being deleted.
backend ok
node worker Ready
for kind in fleets:Fleet ships:Ship buoys:Buoy lights:Light kustoms:Kustom; do
  crd "${kind%:*}" fleet.example "${kind#*:}"
done
crd dockclasses classes.example DockClass Cluster
crd docks docks.example Dock Cluster
operator ops fleet-operator 1 fleets.fleet.example ships.fleet.example buoys.fleet.example lights.fleet.example \
  kustoms.fleet.example dockclasses.classes.example docks.docks.example
pods_ready ops fleet-operator
kubectl create namespace sea

# Two fleets. The Secret that a ship of the first one was created from is gone.
for pair in north:one south:two; do
  fleet=${pair%:*} ship=${pair#*:}
  object sea Fleet.v1.fleet.example "$fleet"
  kubectl -n sea apply -f - <<YAML
apiVersion: fleet.example/v1
kind: Ship
metadata: {name: $ship, ownerReferences: [$(owner fleets.fleet.example "$fleet" sea)]}
spec: {fleetName: $fleet, boot: {dataSecretName: boot-$ship}}
YAML
  finalizer sea fleets.fleet.example "$fleet" fleet.example/cleanup fleet-operator
  finalizer sea ships.fleet.example "$ship" fleet.example/cleanup fleet-operator
done
kubectl -n sea create secret generic boot-two --from-literal=value=data

# Two classes. A machine of the first one exists, and a budget protects a pod on its node.
for name in used idle; do
  kubectl apply -f - <<YAML
apiVersion: classes.example/v1
kind: DockClass
metadata: {name: $name}
spec: {}
YAML
  finalizer "" dockclasses.classes.example "$name" classes.example/in-use fleet-operator
done
kubectl apply -f - <<'YAML'
apiVersion: docks.example/v1
kind: Dock
metadata: {name: dock-1}
spec: {classRef: {group: classes.example, kind: DockClass, name: used}}
status: {providerID: "cloud://dock-1", nodeName: dock-1}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: ledger, namespace: sea}
spec: {minAvailable: 1, selector: {matchLabels: {app: ledger}}}
---
apiVersion: v1
kind: Pod
metadata: {name: ledger, namespace: sea, labels: {app: ledger}}
spec: {nodeName: dock-1, automountServiceAccountToken: false, containers: [{name: c, image: example.invalid/none}]}
YAML
finalizer "" docks.docks.example dock-1 docks.example/drain fleet-operator
node dock-1 Ready
kubectl patch node dock-1 --type=merge -p '{"spec": {"providerID": "cloud://dock-1"}}'
kubectl -n sea patch pod ledger --subresource=status --type=merge -p "status: {phase: Running, conditions: [$(condition Ready True)]}"
wait_for 30 "the budget counts" is 1 '{.status.currentHealthy}' pdb ledger -n sea

# Two objects whose operator deletes what they list with the account that each names. The account of
# the first one may only read it.
for pair in reader:get writer:delete; do
  name=${pair%:*} verb=${pair#*:}
  kubectl -n sea create serviceaccount "$name"
  kubectl -n sea create role "$name" --verb="$verb" --resource=configmaps
  kubectl -n sea create rolebinding "$name" --role="$name" --serviceaccount="sea:$name"
  kubectl -n sea create configmap "of-$name"
  object sea Kustom.v1.fleet.example "$name" "{serviceAccountName: $name}"
  finalizer sea kustoms.fleet.example "$name" fleet.example/prune fleet-operator
  says sea kustoms.fleet.example "$name" fleet-operator "{inventory: {entries: [{id: sea_of-${name}__ConfigMap, v: v1}]}}"
done

# One webhook denies every update of buoys. Another allows every update of lights.
object sea Buoy.v1.fleet.example red
object sea Light.v1.fleet.example red
finalizer sea buoys.fleet.example red fleet.example/cleanup fleet-operator
finalizer sea lights.fleet.example red fleet.example/cleanup fleet-operator
live_webhook Validating buoys deny '"UPDATE"' fleet.example buoys
live_webhook Validating lights ok '"UPDATE"' fleet.example lights
refused() { ! kubectl -n sea annotate buoys.fleet.example red a=b --dry-run=server; }
wait_for 20 "the webhook is heeded" refused
sleep 1
