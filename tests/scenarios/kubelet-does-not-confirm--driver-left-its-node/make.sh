# A pod's grace period has been over for 25 minutes, and its volume stays mounted: the driver is not
# registered on the node, and none of its pods is there. The Node object is new.
node field Ready
node other Ready
settled other
kubectl taint node field peat.example/lab=yes:NoExecute
agents peat-csi peat-node csidrivers.storage.k8s.io "nodeSelector: {disk: peat}"
kubectl label node other disk=peat
kubectl -n peat-csi patch daemonset peat-node --type=json -p '[{"op": "add", "path": "/spec/template/spec/containers/0/args", "value": ["--drivername=peat.bog.example"]}]'
agents_ready peat-csi peat-node 1
csi_node field
csi_node other peat.bog.example
kubectl create namespace shop
csi_volume peat-1 peat.bog.example one
mounts shop web field 30 peat-1
kubectl -n shop patch pod web --subresource=status --type=merge -p "status: {phase: Running, containerStatuses: [
  {name: c, ready: true, restartCount: 0, image: none, imageID: none, state: {running: {startedAt: \"$(now)\"}}}]}"
kubectl -n shop delete pod web --wait=false
container_killed shop web
aged 25 /registry/pods/shop/web pod web -n shop
