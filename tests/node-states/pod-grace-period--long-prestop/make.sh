kubectl create namespace shop
real_pod shop web 40 "$(container obey), lifecycle: {preStop: {exec: {command: [/pod, sleep, \"25\"]}}}"
runs shop web
kubectl -n shop delete pod web --wait=false
