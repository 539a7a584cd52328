# A range of Service addresses is deleted while a Service has an address from it. A second range
# also covers the address of another Service.
kubectl create namespace shop
kubectl apply -f - <<'YAML'
apiVersion: networking.k8s.io/v1
kind: ServiceCIDR
metadata: {name: old}
spec: {cidrs: [10.99.0.0/24]}
---
apiVersion: networking.k8s.io/v1
kind: ServiceCIDR
metadata: {name: half}
spec: {cidrs: [10.99.0.128/25]}
YAML
kubectl wait --for=condition=Ready servicecidr/old servicecidr/half --timeout=60s
for address in 10.99.0.7 10.99.0.200; do
  wait_for 20 "an address of the range" \
    kubectl -n shop create service clusterip "a${address##*.}" --tcp=80 "--clusterip=$address"
done
kubectl delete servicecidr old --wait=false
late
