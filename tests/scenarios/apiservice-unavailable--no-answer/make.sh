# The cluster is healthy, but connections time out: the firewall of a private cluster lets the
# control plane reach nodes on two ports only.
node worker Ready
kubectl patch node worker --type=merge -p '{"spec":{"providerID":"gce://acme-prod/europe-west1-b/gke-main-pool-1-7c2f","podCIDR":"10.8.3.0/24","podCIDRs":["10.8.3.0/24"]}}'
backend_mode dischang
answering_service monitoring adapter worker
api_service v1beta1 external.metrics.k8s.io monitoring adapter "$BACKEND_PORT"
timed_out() { kubectl get apiservice v1beta1.external.metrics.k8s.io -o jsonpath='{.status.conditions[0].reason}' | grep FailedDiscoveryCheck; }
wait_for 60 "the API server has met it" timed_out
kubectl create namespace shop
delete_namespace shop
