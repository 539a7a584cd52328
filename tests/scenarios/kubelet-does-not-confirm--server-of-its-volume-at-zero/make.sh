# A container hangs on a share whose server is a Deployment in this cluster at 0 replicas.
node worker Ready
settled worker
operator storage nfs-server 0
service storage nfs-server 2049 2049
kubectl create namespace render
kubectl apply -f - <<'YAML'
apiVersion: v1
kind: Pod
metadata: {name: frames, namespace: render}
spec:
  nodeName: worker
  automountServiceAccountToken: false
  terminationGracePeriodSeconds: 2
  containers: [{name: main, image: example.invalid/none, volumeMounts: [{name: frames, mountPath: /frames}]}]
  volumes: [{name: frames, nfs: {server: nfs-server.storage.svc.cluster.local, path: /frames}}]
YAML
kubectl -n render patch pod frames --subresource=status --type=merge -p "status: {phase: Running, startTime: '$(now)',
  conditions: [$(condition Ready True)], containerStatuses: [{name: main, image: x, imageID: x, ready: true, restartCount: 0,
  state: {running: {startedAt: '$(now)'}}}]}"
kubectl -n render delete pod frames --wait=false
event render pod frames FailedKillPod 'error killing pod: failed to KillContainer: context deadline exceeded' kubelet
late
aged 40 /registry/pods/render/frames pod frames -n render
