# A Service of type LoadBalancer waits for a cloud controller that does not run.
kubectl apply -f - <<'YAML'
apiVersion: v1
kind: Service
metadata: {name: web, namespace: default, finalizers: [service.kubernetes.io/load-balancer-cleanup]}
spec: {type: LoadBalancer, selector: {app: web}, ports: [{port: 80}]}
YAML
kubectl patch service web --subresource=status --type=merge \
  -p '{"status":{"loadBalancer":{"ingress":[{"hostname":"a1b2.elb.example.invalid"}]}}}'
kubectl delete service web --wait=false
sleep 7
