# A machine is being deleted, and its running controller waits for a hook that another program set.
# A second machine has the same hook and is not being deleted.
crd machines forge.example Machine
operator forge-system forge 1 machines.forge.example
node worker Ready
pods_ready forge-system forge
kubectl create namespace fleet
for name in ingot-1 ingot-2; do
  kubectl apply --field-manager=forge -f - <<YAML
apiVersion: forge.example/v1
kind: Machine
metadata: {name: $name, namespace: fleet, finalizers: [machine.forge.example]}
YAML
  kubectl -n fleet annotate machine "$name" pre-drain.delete.hook.machine.forge.example/quench=etcd-keeper
done
kubectl -n fleet delete machine ingot-1 --wait=false
late
aged 30 /registry/forge.example/machines/fleet/ingot-1 machine ingot-1 -n fleet
pods_running_since 60 forge-system forge
