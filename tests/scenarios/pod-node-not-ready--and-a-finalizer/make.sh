# The node is off, and an uninstalled program has put a finalizer on the pod. The pod also keeps a
# claim and a device in use. A force deletion alone would not remove it.
node silent NotReady
kubectl create namespace shop
kubectl -n shop apply -f - <<'YAML'
apiVersion: v1
kind: Pod
metadata: {name: render}
spec:
  nodeName: silent
  automountServiceAccountToken: false
  terminationGracePeriodSeconds: 1
  containers: [{name: c, image: example.invalid/none}]
  volumes: [{name: frames, persistentVolumeClaim: {claimName: frames}}]
  resourceClaims: [{name: gpu, resourceClaimName: gpu-7}]
YAML
phase shop render Running
finalizer shop pods render acme.io/drain-frames frame-keeper
kubectl -n shop delete pod render --wait=false
sleep 13
