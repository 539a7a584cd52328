kubectl create namespace shop
real_pod shop web 40 "$(container obey 20)}, {name: crashing, $(container crash)"
restarts() { kubectl -n shop get pod web -o jsonpath='{.status.containerStatuses[?(@.name=="crashing")].restartCount}'; }
crashed() { test "$(restarts)" -ge 2; }
wait_for 60 "it has crashed twice" crashed
kubectl -n shop delete pod web --wait=false
