# The controller sleeps for half of an hour's grace period, though the pod has
# been forced out since.
node alive Ready
kubectl create namespace shop
pod shop web alive 3600
kubectl delete namespace shop --wait=false
looked shop
# Its own write of the conditions wakes it once more; then it sleeps.
sleep 8
kubectl -n shop delete pod web --force --grace-period=0
# Until then a minute might pass in any case.
sleep 50
