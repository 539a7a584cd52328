# The kubelet of a node says that it cannot unmount a volume whose device is busy. The Node object is
# new, and the pod's grace period has been over for 25 minutes.
node field Ready
kubectl create namespace shop
kubectl -n shop apply -f - <<'YAML'
apiVersion: v1
kind: Pod
metadata: {name: web}
spec:
  nodeName: field
  automountServiceAccountToken: false
  containers: [{name: c, image: example.invalid/none}]
  volumes: [{name: media, hostPath: {path: /mnt/media}}]
YAML
kubectl -n shop patch pod web --subresource=status --type=merge -p "status: {phase: Running, containerStatuses: [
  {name: c, ready: true, restartCount: 0, image: none, imageID: none, state: {running: {startedAt: \"$(now)\"}}}]}"
kubectl -n shop delete pod web --wait=false
if [ -z "${TWIN:-}" ]; then
  event shop pod web FailedUnmount 'UnmountVolume.TearDown failed for volume media: unmount failed: exit status 32 Output: umount: /var/lib/kubelet/pods/1/volumes/media: target is busy.' kubelet
fi
aged 25 /registry/pods/shop/web pod web -n shop
