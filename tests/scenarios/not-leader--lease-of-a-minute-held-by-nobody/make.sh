# A pod that does not exist holds a Lease of five minutes, which it renewed 40 seconds ago.
crd stacks delivery.example Stack
node worker Ready
settled worker
works 600 delivery stack-pilot stacks.delivery.example
kubectl apply -f - <<YAML
apiVersion: coordination.k8s.io/v1
kind: Lease
metadata: {name: pilot, namespace: delivery}
spec:
  holderIdentity: stack-pilot-5c689d88bb-x7k2p_77
  leaseDurationSeconds: 300
  leaseTransitions: 1
  renewTime: "$(date -u -d "-40 seconds" +%FT%T.000000Z)"
YAML
hung 30 shop Stack.v1.delivery.example stacks north delivery.example/undo stack-pilot
late
