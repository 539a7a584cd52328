# The namespace controller sleeps for half of a pod's grace period of an hour, although the pod was
# force deleted since.
node alive Ready
kubectl create namespace shop
pod shop web alive 3600
kubectl delete namespace shop --wait=false
looked shop
# The controller's own write of the conditions wakes it once more. Then it sleeps.
sleep 8
kubectl -n shop delete pod web --force --grace-period=0
# A wait of up to a minute is normal.
sleep 50
