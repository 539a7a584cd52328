# Objects that the controllers of two clouds created for Services and Ingresses. One controller is
# scaled to zero, and the other does not run in this cluster.
crd targetgroupbindings elbv2.k8s.aws TargetGroupBinding Namespaced v1beta1
crd servicenetworkendpointgroups networking.gke.io ServiceNetworkEndpointGroup Namespaced v1beta1
operator kube-system aws-load-balancer-controller 0 \
  targetgroupbindings.elbv2.k8s.aws ingresses.networking.k8s.io
kubectl create namespace shop
kubectl create namespace other
ingress() {
  kubectl apply -f - <<YAML
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: {name: web, namespace: $1}
spec: {ingressClassName: alb, defaultBackend: {service: {name: web, port: {number: 80}}}}
YAML
  finalizer "$1" ingress web ingress.k8s.aws/resources controller
}
ingress shop
ingress other
kubectl -n shop patch ingress web --subresource=status --type=merge \
  -p 'status: {loadBalancer: {ingress: [{hostname: k8s-shop-web-0a1b.elb.example.invalid}]}}'
kubectl -n shop apply -f - <<'YAML'
apiVersion: elbv2.k8s.aws/v1beta1
kind: TargetGroupBinding
metadata: {name: web}
spec: {targetGroupARN: "arn:aws:elasticloadbalancing:eu-central-1:111122223333:targetgroup/k8s-shop-web/0a1b2c"}
---
apiVersion: networking.gke.io/v1beta1
kind: ServiceNetworkEndpointGroup
metadata: {name: web-80}
status: {networkEndpointGroups: [{selfLink: "https://compute.example.invalid/projects/shop/zones/a/networkEndpointGroups/k8s1-web"}]}
YAML
finalizer shop targetgroupbindings web elbv2.k8s.aws/resources controller
finalizer shop servicenetworkendpointgroups web-80 networking.gke.io/neg-finalizer glbc
delete_namespace shop
aged 30 /registry/ingress/shop/web ingress web -n shop
