# An operator and its webhook are in the namespace that is deleted. Pods are deleted first, so the
# webhook is gone when it must be called. The operator's second webhook is only called for new
# objects.
node worker Ready
crd peers acme.io Peer
kubectl create namespace mesh
kubectl -n mesh apply -f - <<'YAML'
apiVersion: v1
kind: Service
metadata: {name: mesh-webhook, labels: {app.kubernetes.io/instance: mesh}}
spec: {selector: {app.kubernetes.io/name: mesh-operator}, ports: [{port: 443, targetPort: 9443}]}
YAML
operator mesh mesh-operator 1 peers.acme.io
pods_ready mesh mesh-operator
object mesh Peer.v1.acme.io router
kubectl apply -f - <<'YAML'
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: mesh, labels: {app.kubernetes.io/instance: mesh}}
webhooks:
- name: delete.peers.acme.io
  admissionReviewVersions: [v1]
  sideEffects: None
  clientConfig: {service: {namespace: mesh, name: mesh-webhook, path: /validate}}
  rules: [{apiGroups: [acme.io], apiVersions: [v1], operations: [DELETE], resources: [peers]}]
- name: create.peers.acme.io
  admissionReviewVersions: [v1]
  sideEffects: None
  clientConfig: {service: {namespace: mesh, name: mesh-webhook, path: /validate}}
  rules: [{apiGroups: [acme.io], apiVersions: [v1], operations: [CREATE], resources: [peers]}]
YAML
sleep 2
kubectl delete namespace mesh --wait=false
# Remove the pods, as their kubelet does.
for pod in $(kubectl -n mesh get pods -o name); do
  wait_for 20 "$pod is asked to go" test -n "$(kubectl -n mesh get "$pod" -o jsonpath='{.metadata.deletionTimestamp}')" || true
done
sleep 6
kubectl -n mesh delete pods --all --grace-period=0 --force
refused() { kubectl get namespace mesh -o jsonpath='{.status.conditions[?(@.type=="NamespaceDeletionContentFailure")].message}' |
  grep -q "failed calling webhook"; }
wait_for 60 "the namespace controller is refused" refused
