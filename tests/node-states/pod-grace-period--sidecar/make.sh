kubectl create namespace shop
real_pod shop web 40 "$(container obey 15)" "initContainers: [{name: sidecar, restartPolicy: Always, $(container obey 5)}]"
runs shop web
kubectl -n shop delete pod web --wait=false
