# The controller of a cloud is at 0 under a name of its own; its Lease was held by a pod that is gone. A
# Service with a load balancer was deleted a moment ago.
node worker Ready
settled worker
kubectl label node worker node.kubernetes.io/instance-type=m5.large topology.kubernetes.io/region=eu-1
service_account kube-system birch-cloud
rights birch-cloud services.
kubectl create clusterrolebinding birch-cloud --clusterrole=birch-cloud --serviceaccount=kube-system:birch-cloud
deployment kube-system birch-cloud 0
lease kube-system cloud-controller-manager birch-cloud-5c689d88bb-x7k2p_4c1e6a0b 3000
kubectl create namespace shop
kubectl apply --field-manager=birch-cloud-controller-manager -f - <<'YAML'
apiVersion: v1
kind: Service
metadata: {name: front, namespace: shop, finalizers: [service.kubernetes.io/load-balancer-cleanup]}
spec: {type: LoadBalancer, ports: [{port: 80}], selector: {app: front}}
YAML
kubectl -n shop delete service/front --wait=false
late
