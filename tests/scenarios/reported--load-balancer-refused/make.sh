# The cloud refuses to delete a load balancer because its controller lost its permissions there. An
# event of the controller says so.
node worker Ready
operator kube-system aws-load-balancer-controller 2
kubectl create clusterrole aws-load-balancer-controller-role --verb=get,list,watch,update,patch \
  --resource=services,services/status,ingresses.networking.k8s.io
kubectl create clusterrolebinding aws-load-balancer-controller-rolebinding \
  --clusterrole=aws-load-balancer-controller-role --serviceaccount=kube-system:aws-load-balancer-controller
pods_ready kube-system aws-load-balancer-controller
leading kube-system aws-load-balancer-controller-leader aws-load-balancer-controller-7d5_1
kubectl apply -f - <<'YAML'
apiVersion: v1
kind: Service
metadata: {name: web, namespace: default}
spec: {type: LoadBalancer, selector: {app: web}, ports: [{port: 80}], loadBalancerClass: service.k8s.aws/nlb}
YAML
finalizer default service web service.k8s.aws/resources controller
kubectl patch service web --subresource=status --type=merge --field-manager=controller \
  -p 'status: {loadBalancer: {ingress: [{hostname: k8s-default-web-0a1b2c.elb.example.invalid}]}}'
kubectl delete service web --wait=false
event default service web FailedDeployModel "Failed deploy model due to operation error Elastic Load Balancing v2: \
DeleteLoadBalancer, https response error StatusCode: 403, api error AccessDenied: not authorized to perform: \
elasticloadbalancing:DeleteLoadBalancer" service
late
aged 30 /registry/services/specs/default/web service web
