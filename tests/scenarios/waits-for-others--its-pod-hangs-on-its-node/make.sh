# A launch waits until its launcher pod is gone. The kubelet of the pod's node does not answer. Another launcher is well.
node worker Ready
settled worker
node far "${FAR:-NotReady}"
crd launches orbit.example Launch
works 600 orbit orbit-controller launches.orbit.example
kubectl create namespace pads
object pads Launch.v1.orbit.example moon
finalizer pads launches.orbit.example moon orbit.example/launch orbit-controller
pod pads launcher-moon-x7q2k far 5
[ -n "${ALIEN:-}" ] || kubectl -n pads patch pod launcher-moon-x7q2k --type=merge -p "metadata: {ownerReferences: [$(owner launches.orbit.example moon pads)]}"
phase pads launcher-moon-x7q2k Running
pod pads launcher-mars-a1b2c worker 5
kubectl -n pads delete launches.orbit.example moon --wait=false
kubectl -n pads delete pod launcher-moon-x7q2k --wait=false
says pads launches.orbit.example moon orbit-controller "{conditions: [$(condition Ready False PodTerminating 'launcher pod is terminating')]}"
late
aged 30 /registry/orbit.example/launches/pads/moon launches.orbit.example moon -n pads
aged 30 /registry/pods/pads/launcher-moon-x7q2k pod launcher-moon-x7q2k -n pads
