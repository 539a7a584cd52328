# Everything is scaled to zero at night. One night the pods' operator stopped before the pods did.
# It has been back since the morning and treats pods that it sees for the first time as new, even if
# they are being deleted. It checks them again only when they change. Today's pods are healthy.
node worker Ready
settled worker
works 60 platform workload-operator pods. configmaps.
leading platform workload-operator-leader "$(pods_of platform workload-operator)"
works 58 istio-system istiod configmaps.
service_account shop checkout
deployment shop checkout 0
replicas() { kubectl -n shop get replicasets -l app.kubernetes.io/name=checkout -o jsonpath='{.items[0].metadata.name}'; }
some_replicas() { test -n "$(replicas)"; }
wait_for 20 "the replicas of checkout" some_replicas
set=$(replicas)
hash=$(kubectl -n shop get replicaset "$set" -o jsonpath='{.metadata.labels.pod-template-hash}')
# Yesterday's pods. Their owner wants none and deletes them, and their kubelet has confirmed their
# end.
for name in checkout-k2x7p checkout-zw4tq; do
  kubectl create --field-manager=kube-controller-manager -f - <<YAML
apiVersion: v1
kind: Pod
metadata: {name: $name, namespace: shop}
spec:
  nodeName: worker
  serviceAccountName: checkout
  automountServiceAccountToken: false
  containers: [{name: manager, image: example.invalid/checkout}]
YAML
  finalizer shop pods $name platform.example.com/podfinalizer unknown
  kubectl -n shop patch pod $name --type=merge --field-manager=kube-controller-manager -p "metadata: {
    labels: {app.kubernetes.io/name: checkout, app.kubernetes.io/instance: checkout, pod-template-hash: '$hash'},
    ownerReferences: [{apiVersion: apps/v1, kind: ReplicaSet, name: $set, uid: $(kubectl -n shop get replicaset "$set" -o jsonpath='{.metadata.uid}'), controller: true, blockOwnerDeletion: true}]}"
done
going() { test "$(kubectl -n shop get pods -o jsonpath='{.items[*].metadata.deletionTimestamp}' | wc -w)" = 2; }
wait_for 30 "the pods of yesterday are being deleted" going
for name in checkout-k2x7p checkout-zw4tq; do
  kubectl -n shop patch pod $name --subresource=status --type=merge --field-manager=kubelet -p "status: {phase: Succeeded, startTime: '$(now)', conditions: [$(condition Ready False PodCompleted)],
    containerStatuses: [{name: manager, image: example.invalid/checkout, imageID: example.invalid/checkout, ready: false, restartCount: 0,
      state: {terminated: {reason: Completed, exitCode: 0, startedAt: '$(now)', finishedAt: '$(now)'}}}]}"
  kubectl -n shop delete pod $name --grace-period=0 --force --wait=false
done
late
for name in checkout-k2x7p checkout-zw4tq; do aged 700 /registry/pods/shop/$name pod $name -n shop; done
kubectl -n shop scale deployment checkout --replicas=2
today() { test "$(kubectl -n shop get pods -o name | wc -l)" = 4; }
wait_for 30 "the pods of today" today
for pod in $(kubectl -n shop get pods -o jsonpath='{range .items[?(@.status.phase=="Pending")]}{.metadata.name} {end}'); do
  kubectl create --raw "/api/v1/namespaces/shop/pods/$pod/binding" -f - <<JSON
{"apiVersion": "v1", "kind": "Binding", "metadata": {"name": "$pod", "namespace": "shop"}, "target": {"apiVersion": "v1", "kind": "Node", "name": "worker"}}
JSON
  kubectl -n shop patch pod "$pod" --type=merge --field-manager=unknown -p 'metadata: {finalizers: [platform.example.com/podfinalizer]}'
  then=$(date -u -d '-50 minutes' +%FT%TZ)
  kubectl -n shop patch pod "$pod" --subresource=status --type=merge --field-manager=kubelet -p "status: {phase: Running, startTime: '$then', conditions: [{type: Ready, status: 'True', lastTransitionTime: '$then'}],
    containerStatuses: [{name: manager, image: example.invalid/none, imageID: example.invalid/none, ready: true, restartCount: 0, state: {running: {startedAt: '$then'}}}]}"
done
