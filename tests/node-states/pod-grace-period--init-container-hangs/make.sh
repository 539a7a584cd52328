kubectl create namespace shop
real_pod shop web 20 "$(container obey)" "initContainers: [{name: hangs, $(container ignore)}]"
begun() { test -n "$(kubectl -n shop get pod web -o jsonpath="{.status.initContainerStatuses[0].state.running}")"; }
wait_for 60 "its init container runs" begun
kubectl -n shop delete pod web --wait=false
