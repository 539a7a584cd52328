# A node was not Ready when the grace period of a pod ended, and became Ready a few seconds ago. Its
# kubelet is about to end the pod.
node alive NotReady
kubectl create namespace shop
pod shop web alive 1
phase shop web Running
kubectl -n shop delete pod web --wait=false
sleep 12
node alive Ready
sleep 2
