# A node is being drained for good, and an annotation on a pod forbids its disruption. The
# annotation of another pod on the node allows it.
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
noted batch-7 true
noted web-1 false
kubectl delete node old --wait=false
late
aged 30 /registry/minions/old node old
pods_running_since 60 drover drover
