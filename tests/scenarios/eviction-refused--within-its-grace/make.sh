# A node is being drained for good, and a pod on it has a grace period of twelve hours that began a
# few seconds ago.
kubectl create namespace shop
drained old drover drover.example/release drover.example/leaving
noted() {
  kubectl -n shop apply -f - <<YAML
apiVersion: v1
kind: Pod
metadata: {name: $1, annotations: {drover.example/do-not-disrupt: "$2"}}
spec:
  nodeName: old
  automountServiceAccountToken: false
  terminationGracePeriodSeconds: ${3:-30}
  containers: [{name: c, image: example.invalid/none}]
YAML
  kubectl -n shop patch pod "$1" --subresource=status --type=merge \
    -p "status: {phase: Running, conditions: [$(condition Ready True)]}"
}
noted batch-7 false 43200
kubectl -n shop delete pod batch-7 --wait=false
kubectl delete node old --wait=false
late
aged 30 /registry/minions/old node old
pods_running_since 60 drover drover
