# A subnet waits until none of its addresses is taken. One is left of a pod in a namespace that no
# longer exists.
node worker Ready
settled worker
crd subnets fjord.example Subnet Cluster
crd addresses fjord.example Address Cluster
leads fjord fjord-controller fjord-lead 1 subnets.fjord.example addresses.fjord.example
[ -z "${TWIN:-}" ] || kubectl create namespace gone-shop
[ -z "${TWIN:-}" ] || { pod gone-shop web-0 worker 30; phase gone-shop web-0 Running; }
kubectl create namespace shop
object "" Subnet.v1.fjord.example blue '{cidr: 10.1.0.0/16}'
kubectl apply --field-manager=fjord-controller -f - <<'YAML'
apiVersion: fjord.example/v1
kind: Address
metadata: {name: web-0.gone-shop, labels: {fjord.example/subnet: blue}}
spec: {subnet: blue, namespace: gone-shop, podName: web-0, address: 10.1.0.7}
YAML
finalizer "" subnets.fjord.example blue fjord.example/subnet fjord-controller
says "" subnets.fjord.example blue fjord-controller '{usingIPs: 1, availableIPs: 65532}'
deleted 40 subnets.fjord.example blue
