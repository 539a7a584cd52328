kubectl create namespace shop
real_pod shop web 15 "$(container ignore)"
runs shop web
kubectl -n shop delete pod web --wait=false
