# Pods of one group are scheduled together. The finished ones are kept until the whole group is
# counted. One of them was deleted; another one still runs.
node worker Ready
settled worker
crd workloads gang.rook.example Workload
leads gang gang-manager gang-lead 1 workloads.gang.rook.example pods.
namespace ml
object ml Workload.v1.gang.rook.example train '{podSets: [{name: main, count: 3}]}'
for n in 0 1 2; do
  kubectl -n ml apply -f - <<YAML
apiVersion: v1
kind: Pod
metadata: {name: train-$n, labels: {gang.rook.example/group-name: train}, annotations: {gang.rook.example/group-total-count: "3"}}
spec:
  nodeName: worker
  automountServiceAccountToken: false
  containers: [{name: c, image: example.invalid/none}]
YAML
  kubectl -n ml patch pod train-$n --type=merge --field-manager=gang-manager -p "metadata: {finalizers: [gang.rook.example/managed]}"
  refs="${refs:-}{apiVersion: v1, kind: Pod, name: train-$n, uid: $(kubectl -n ml get pod train-$n -o jsonpath='{.metadata.uid}')},"
done
kubectl -n ml patch workloads.gang.rook.example train --type=merge --field-manager=gang-manager -p "metadata: {ownerReferences: [$refs]}"
phase ml train-0 Succeeded
phase ml train-1 Succeeded
phase ml train-2 "$([ -n "${TWIN:-}" ] && echo Succeeded || echo Running)"
kubectl -n ml delete pod train-0 --wait=false
late
aged 60 /registry/pods/ml/train-0 pod train-0 -n ml
