# An operator cannot start because a kind is not served. Its termination message names the kind.
node worker Ready
crd tunnels edgegate.dev Tunnel
operator edge edgegate 1 tunnels.edgegate.dev
pods_on worker edge edgegate
words='no matches for kind \"HTTPRoute\" in version \"gateway.networking.k8s.io/v1\"'
container_status edge edgegate Running False "ready: false, restartCount: 31,
  state: {waiting: {reason: CrashLoopBackOff, message: back-off}},
  lastState: {terminated: {reason: Error, exitCode: 1, startedAt: \"$(now)\", finishedAt: \"$(now)\", message: '$words'}}"
kubectl create namespace web
object web Tunnel.v1.edgegate.dev front '{port: 443}'
finalizer web tunnels.edgegate.dev front edgegate.dev/tunnel edgegate
kubectl -n web delete tunnels.edgegate.dev front --wait=false
late
