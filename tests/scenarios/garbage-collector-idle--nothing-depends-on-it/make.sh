# A Service was pruned in the foreground. It has no dependents, and the garbage collector, whose
# controller manager renews its lease, missed it. The controller that pruned it waits and does not
# delete it again.
node worker Ready
settled worker
crd applications argoproj.io Application Namespaced v1alpha1
works 600 argocd argocd-application-controller applications.argoproj.io services.
leading argocd argocd-application-controller argocd-application-controller-0_1
works 600 kube-system aws-load-balancer-controller services.
kubectl create namespace shop
kubectl -n argocd apply -f - <<'YAML'
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: shop}
spec: {destination: {namespace: shop}, syncPolicy: {automated: {prune: true}, syncOptions: [PrunePropagationPolicy=background]}}
status: {operationState: {phase: Running, message: waiting for deletion of /Service/test}}
YAML
for name in test other; do
  kubectl -n shop apply --field-manager=argocd-controller -f - <<YAML
apiVersion: v1
kind: Service
metadata: {name: $name, annotations: {argocd.argoproj.io/tracking-id: "shop:/Service:shop/$name"}}
spec: {type: ClusterIP, clusterIP: None, ports: [{port: 80}]}
YAML
done
if [ -n "${TWIN:-}" ]; then
  crd bindings edge.example Binding
  operator edge edge-operator 0 bindings.edge.example
  kubectl -n shop apply -f - <<YAML
apiVersion: edge.example/v1
kind: Binding
metadata: {name: test, ownerReferences: [$(owner service test shop)]}
YAML
  finalizer shop bindings.edge.example test edge.example/binding edge-operator
  # The garbage collector looks for new kinds every 30 seconds.
  sleep 40
fi
seen
if [ -z "${TWIN:-}" ]; then
  manager KILL
  leading kube-system kube-controller-manager master-1
fi
kubectl -n shop delete service test --cascade=foreground --wait=false
late
aged 180 /registry/services/specs/shop/test service test -n shop
