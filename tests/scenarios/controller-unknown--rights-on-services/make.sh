# The cloud's controller runs in a hosted control plane, where it is not visible, and put its
# finalizer on a Service. An unrelated operator at zero replicas may write Services, as many
# operators may.
node worker Ready
kubectl label node worker node.kubernetes.io/instance-type=m5.large topology.kubernetes.io/region=eu-1
operator mesh mesh-operator 0 services.
kubectl create namespace shop
kubectl apply --field-manager=cloud-controller-manager -f - <<'YAML'
apiVersion: v1
kind: Service
metadata: {name: front, namespace: shop, finalizers: [service.kubernetes.io/load-balancer-cleanup]}
spec: {type: LoadBalancer, ports: [{port: 80}], selector: {app: front}}
YAML
delete_namespace shop
aged 30 /registry/services/specs/shop/front service front -n shop
