# The storage server was uninstalled before the pods that mount its volumes.
node alive Ready
kubectl create namespace shop
kubectl -n shop apply -f - <<'YAML'
apiVersion: v1
kind: Pod
metadata: {name: web}
spec:
  nodeName: alive
  automountServiceAccountToken: false
  terminationGracePeriodSeconds: 1
  containers: [{name: c, image: example.invalid/none}]
  volumes: [{name: pages, nfs: {server: nfs.shop.example, path: /pages}}]
YAML
kubectl -n shop patch pod web --subresource=status --type=merge -p "status: {phase: Running, containerStatuses: [
  {name: c, ready: false, restartCount: 0, image: none, imageID: none,
   state: {terminated: {exitCode: 137, finishedAt: \"$(now)\"}}}]}"
kubectl -n shop delete pod web --wait=false
event shop pod web FailedUnmount "UnmountVolume.TearDown failed for volume pages: unmount failed: exit status 32, device or resource busy" kubelet
sleep 12
