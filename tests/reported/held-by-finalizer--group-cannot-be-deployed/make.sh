# Ingresses share a load balancer that has as many target groups as the cloud allows. Nothing of the
# group can be deployed any more, so no ingress can leave it. The controller reports that only on
# the ingresses that stay.
node worker Ready
settled worker
crd targetgroupbindings elbv2.k8s.aws TargetGroupBinding Namespaced v1beta1
service_account kube-system aws-load-balancer-controller
kubectl create clusterrole aws-load-balancer-controller-role --verb=get,list,watch,update,patch --resource=ingresses.networking.k8s.io,ingresses.networking.k8s.io/status
kubectl create clusterrolebinding aws-load-balancer-controller-rolebinding --clusterrole=aws-load-balancer-controller-role \
  --serviceaccount=kube-system:aws-load-balancer-controller
deployment kube-system aws-load-balancer-controller 1
pods_on worker kube-system aws-load-balancer-controller
pods_running_since 600 kube-system aws-load-balancer-controller
leading kube-system aws-load-balancer-controller-leader "$(pods_of kube-system aws-load-balancer-controller)_5b3f"
service_account ingress-nginx ingress-nginx-controller
kubectl create clusterrole ingress-nginx --verb=get,list,watch --resource=ingresses.networking.k8s.io
kubectl patch clusterrole ingress-nginx --type=json -p '[{"op": "add", "path": "/rules/-",
  "value": {"apiGroups": ["networking.k8s.io"], "resources": ["ingresses/status"], "verbs": ["update"]}}]'
kubectl create clusterrolebinding ingress-nginx --clusterrole=ingress-nginx --serviceaccount=ingress-nginx:ingress-nginx-controller
deployment ingress-nginx ingress-nginx-controller 1
pods_on worker ingress-nginx ingress-nginx-controller
pods_running_since 600 ingress-nginx ingress-nginx-controller
service_account external-dns external-dns
kubectl create clusterrole external-dns --verb=get,list,watch --resource=ingresses.networking.k8s.io
kubectl create clusterrolebinding external-dns --clusterrole=external-dns --serviceaccount=external-dns:external-dns
deployment external-dns external-dns 1
pods_on worker external-dns external-dns
pods_running_since 600 external-dns external-dns
kubectl apply -f - <<'YAML'
apiVersion: networking.k8s.io/v1
kind: IngressClass
metadata: {name: alb}
spec: {controller: ingress.k8s.aws/alb}
---
apiVersion: networking.k8s.io/v1
kind: IngressClass
metadata: {name: nginx}
spec: {controller: k8s.io/ingress-nginx}
YAML
kubectl create namespace shop
# ingress NAME GROUP creates an ingress in this group.
ingress() {
  kubectl -n shop apply -f - <<YAML
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata:
  name: $1
  annotations: {alb.ingress.kubernetes.io/group.name: $2, alb.ingress.kubernetes.io/scheme: internet-facing, alb.ingress.kubernetes.io/target-type: ip}
spec:
  ingressClassName: alb
  rules:
  - host: $1.example.com
    http: {paths: [{path: /, pathType: Prefix, backend: {service: {name: $1, port: {number: 80}}}}]}
YAML
  finalizer shop ingress "$1" "group.ingress.k8s.aws/$2" controller
}
ingress catalog shared
ingress payments shared
ingress review-101 shared
ingress admin admin
for name in catalog payments; do
  kubectl -n shop patch ingress $name --subresource=status --type=merge --field-manager=controller \
    -p 'status: {loadBalancer: {ingress: [{hostname: k8s-shared-0123456789-1.us-west-2.elb.amazonaws.com}]}}'
done
kubectl -n shop patch ingress admin --subresource=status --type=merge --field-manager=controller \
  -p 'status: {loadBalancer: {ingress: [{hostname: k8s-admin-9876543210-2.us-west-2.elb.amazonaws.com}]}}'
kubectl -n shop delete ingress review-101 --wait=false
late
aged 180 /registry/ingress/shop/review-101 ingress review-101 -n shop
why='Failed deploy model due to TooManyUniqueTargetGroupsPerLoadBalancer: You have reached the maximum number of unique target groups that you can associate with a load balancer of type '"'application'"': [100]\n\tstatus code: 400, request id: 6f1d0f5e-7a52-4a3e-9f53-0d4c1c2f7a11'
for name in catalog payments; do event shop ingress $name FailedDeployModel "$why" ingress; done
