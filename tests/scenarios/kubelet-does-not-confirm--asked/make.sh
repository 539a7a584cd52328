# Asked with --logs, the kubelet says that the containers are over and what it does not
# get done. Another pod of the node is well, whatever its lines say.
kubelet
node_with_kubelet worker
kubectl create namespace shop
pod shop web worker 1
pod shop api worker 1
uid() { kubectl -n shop get pod "$1" -o jsonpath='{.metadata.uid}'; }
log shop api c "listening"
line() { echo "Nov 21 10:00:00 worker kubelet[812]: E1121 10:00:00.000000     812 $1" >>"$PLANE/pod-logs/kubelet.log"; }
line "nestedpendingoperations.go:348] \"Operation for {volumeName:kubernetes.io/nfs/$(uid web)-pages podName:$(uid web)} failed. No retries permitted until 2m2s\" err=\"UnmountVolume.TearDown failed for volume pages: unmount failed: device or resource busy\""
line "prober.go:104] \"Probe errored\" err=\"connection refused\" pod=\"shop/api\" podUID=\"$(uid api)\""
phase shop web Running
kubectl -n shop delete pod web --wait=false
sleep 12
