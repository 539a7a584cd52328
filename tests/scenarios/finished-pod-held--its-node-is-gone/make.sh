# A simulator puts a finalizer on the pods of its nodes and removes it only while it manages the
# node. The node was deleted first. A pod on another of its nodes is healthy.
node worker Ready
settled worker
works 600 sim-system simulator pods.
node sim-1 Ready
[ -z "${TWIN:-}" ] || node sim-2 Ready
settled sim-1
[ -z "${TWIN:-}" ] || settled sim-2
kubectl create namespace load
for number in 1 2; do
  pod load client-$number sim-$number 0
  kubectl -n load patch pod client-$number --type=merge --field-manager=simulator \
    -p 'metadata: {finalizers: [sim.example/played]}'
done
phase load client-1 Running
phase load client-2 Failed
kubectl -n load delete pod client-2 --wait=false --grace-period=0 --force
late
aged 95 /registry/pods/load/client-2 pod client-2 -n load
