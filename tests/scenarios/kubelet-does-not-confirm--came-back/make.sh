# A node was away when a pod was to end, and is Ready again for a few seconds: its kubelet is about
# to end the pod.
node alive NotReady
kubectl create namespace shop
pod shop web alive 1
phase shop web Running
kubectl -n shop delete pod web --wait=false
sleep 12
node alive Ready
sleep 2
