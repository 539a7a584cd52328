# A controller fills a claim with a pod in its own namespace, where no owner reference can name the
# claim. The pod's name contains the uid of the claim, and it cannot pull its image. A pod for
# another claim runs.
node worker Ready
settled worker
works 900 filler filler persistentvolumeclaims. pods.
kubectl create namespace ml
kubectl -n ml apply -f - <<'YAML'
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: dataset}
spec: {storageClassName: none, accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
YAML
kubectl -n ml patch pvc dataset --type=json --field-manager=filler \
  -p '[{"op": "add", "path": "/metadata/finalizers/-", "value": "filler.finch.example/fills"}]'
uid=$(kubectl -n ml get pvc dataset -o jsonpath='{.metadata.uid}')
filling() {
  kubectl -n filler apply --field-manager=filler -f - <<YAML
apiVersion: v1
kind: Pod
metadata: {name: fill-$1}
spec:
  nodeName: worker
  restartPolicy: Never
  automountServiceAccountToken: false
  containers: [{name: fill, image: example.invalid/fill}]
YAML
  kubectl -n filler patch pod "fill-$1" --subresource=status --type=merge -p "status: {$2}"
}
hangs="phase: Pending, conditions: [$(condition Ready False ContainersNotReady 'containers with unready status: [fill]')],
  containerStatuses: [{name: fill, image: none, imageID: none, ready: false, restartCount: 0,
    state: {waiting: {reason: ImagePullBackOff, message: Back-off pulling image}}}]"
works="phase: Running, conditions: [$(condition Ready True)],
  containerStatuses: [{name: fill, image: none, imageID: none, ready: true, restartCount: 0,
    state: {running: {startedAt: \"$(now)\"}}}]"
if [ -n "${TWIN:-}" ]; then fills=$works other=$hangs; else fills=$hangs other=$works; fi
filling "$uid" "$fills"
filling 00000000-1111-4222-8333-444444444444 "$other"
kubectl -n ml delete pvc dataset --wait=false
late
aged 20 /registry/persistentvolumeclaims/ml/dataset pvc dataset -n ml
