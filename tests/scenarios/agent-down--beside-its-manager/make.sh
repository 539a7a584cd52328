# A volume has two finalizers: the manager's and that of the agent on its node. Both write as wren. The manager runs, and
# waits for the agent. The agent on the volume's node crashes.
node worker Ready
node disk-1 Ready
settled worker disk-1
crd diskvolumes wren.example DiskVolume
agents wren wren-agent diskvolumes.wren.example
agents_ready wren wren-agent 2
works 600 wren wren-manager diskvolumes.wren.example
kubectl create namespace shop
object shop DiskVolume.v1.wren.example v1 '{nodeName: disk-1}'
object shop DiskVolume.v1.wren.example v2 '{nodeName: worker}'
for name in v1 v2; do
  kubectl -n shop patch diskvolumes.wren.example $name --type=merge --field-manager=wren \
    -p 'metadata: {finalizers: [wren.example/manager, wren.example/node-agent]}'
done
kubectl -n shop delete diskvolumes.wren.example v1 --wait=false
bad=$(kubectl -n wren get pods -l app.kubernetes.io/name=wren-agent -o jsonpath='{.items[?(@.spec.nodeName=="disk-1")].metadata.name}')
if [ -z "${WELL:-}" ]; then
kubectl -n wren patch pod "$bad" --subresource=status --type=merge -p "status: {conditions: [$(condition Ready False ContainersNotReady 'containers with unready status: [agent]')],
  containerStatuses: [{name: manager, image: example.invalid/none, imageID: example.invalid/none, ready: false, restartCount: 14, state: {waiting: {reason: CrashLoopBackOff, message: back-off}}}]}"
fi
aged 30 /registry/wren.example/diskvolumes/shop/v1 diskvolumes.wren.example v1 -n shop
