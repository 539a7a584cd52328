# A pod is given an hour to end.
node alive Ready
kubectl create namespace shop
pod shop web alive 3600
kubectl -n shop delete pod web --wait=false
late
