# A pod was deleted while its kubelet was pulling a large image. The kubelet ends the pod after the
# pull. Another pod on the node is healthy.
node alive Ready
settled alive
kubectl create namespace ml
pod ml trainer alive 30
pod ml probe alive 30
phase ml probe Running
kubectl -n ml patch pod trainer --subresource=status --type=merge -p "status: {phase: Pending,
  conditions: [$(condition Ready False ContainersNotReady 'containers with unready status: [c]')],
  containerStatuses: [{name: c, image: example.invalid/none, imageID: '', ready: false, restartCount: 0,
    state: {waiting: {reason: ContainerCreating}}}]}"
event ml pod trainer Pulling 'Pulling image \"example.invalid/none\"' kubelet
if [ -n "${TWIN:-}" ]; then
  sleep 1.1
  event ml pod trainer Pulled 'Successfully pulled image \"example.invalid/none\" in 4m2s' kubelet
fi
kubectl -n ml delete pod trainer --wait=false
late
aged 38 /registry/pods/ml/trainer pod trainer -n ml
