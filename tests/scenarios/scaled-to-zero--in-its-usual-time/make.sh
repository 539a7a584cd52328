# Deletions in a cloud, which take minutes. A load balancer and a machine were deleted seconds ago.
# The load balancer's controller is not visible, and the machine's is at zero. Another machine was
# deleted an hour ago.
node worker Ready
kubectl label node worker node.kubernetes.io/instance-type=m5.large topology.kubernetes.io/region=eu-1
group=infrastructure.cluster.x-k8s.io
crd awsmachinepools $group AWSMachinePool
crd gcpmachines $group GCPMachine
operator capa-system capa-controller-manager 0 awsmachinepools.$group
operator capg-system capg-controller-manager 0 gcpmachines.$group
kubectl create namespace shop
kubectl apply --field-manager=cloud-controller-manager -f - <<'YAML'
apiVersion: v1
kind: Service
metadata: {name: front, namespace: shop, finalizers: [service.kubernetes.io/load-balancer-cleanup]}
spec: {type: LoadBalancer, ports: [{port: 80}], selector: {app: front}}
YAML
object shop AWSMachinePool.v1.$group spot
finalizer shop awsmachinepools spot awsmachinepool.$group manager
object shop GCPMachine.v1.$group batch
finalizer shop gcpmachines batch gcpmachine.$group manager
kubectl -n shop delete service/front awsmachinepool/spot gcpmachine/batch --wait=false
aged 60 /registry/$group/gcpmachines/shop/batch gcpmachine batch -n shop
late
