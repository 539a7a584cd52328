kubectl create namespace shop
real_pod shop web 40 "$(container obey 20)"
runs shop web
kubectl -n shop delete pod web --wait=false
