# The namespaces of a package manager and of what it installed were deleted. Its aggregated API
# server was deleted with them, but the APIService remains because it is cluster-scoped.
backend ok
node worker Ready
settled worker
for pair in clusterserviceversions:ClusterServiceVersion subscriptions:Subscription installplans:InstallPlan catalogsources:CatalogSource; do
  crd "${pair%:*}" operators.coreos.com "${pair#*:}" Namespaced v1alpha1
done
crd grafanas grafana.integreatly.org Grafana Namespaced v1beta1
for name in olm operators my-grafana; do kubectl create namespace $name; done
operator olm olm-operator 1 clusterserviceversions.operators.coreos.com
operator olm catalog-operator 1 subscriptions.operators.coreos.com installplans.operators.coreos.com catalogsources.operators.coreos.com
operator olm packageserver 1
for name in olm-operator catalog-operator packageserver; do
  pods_on worker olm $name
  pods_running_since 600 olm $name
done
works 600 operators grafana-operator-controller-manager grafanas.grafana.integreatly.org
# The package server, and an unrelated aggregated API.
"$CONTROL_PLANE" backend --resource packagemanifests --kind PackageManifest --mode-file "$PLANE/packages-mode" --cert-dir "$PLANE/certs" \
  <&3 >"$PLANE/packages" 2>&1 &
wait_for 10 "the server of the packages listens" grep -q ready "$PLANE/packages"
kubectl apply -f - <<YAML
apiVersion: v1
kind: Service
metadata: {name: packageserver-service, namespace: olm, labels: {olm.managed: "true"}}
spec: {type: ExternalName, externalName: 127.0.0.1, ports: [{port: $(sed 's/.*://' "$PLANE/packages")}]}
YAML
api_service v1 packages.operators.coreos.com olm packageserver-service "$(sed 's/.*://' "$PLANE/packages")"
kubectl label apiservice v1.packages.operators.coreos.com olm.managed=true olm.owner=packageserver \
  olm.owner.kind=ClusterServiceVersion olm.owner.namespace=olm
works 600 kube-system metrics-server
backend_service kube-system metrics-server
api_service v1beta1 metrics.k8s.io kube-system metrics-server "$BACKEND_PORT"
available True v1.packages.operators.coreos.com
available True v1beta1.metrics.k8s.io
# csv NAMESPACE NAME
csv() {
  object "$1" ClusterServiceVersion.v1alpha1.operators.coreos.com "$2" '{displayName: '"$2"'}'
  finalizer "$1" clusterserviceversions "$2" operators.coreos.com/csv-cleanup olm
  says "$1" clusterserviceversions "$2" olm '{phase: Succeeded, reason: InstallSucceeded, message: install strategy completed with no errors}'
}
csv olm packageserver
csv operators grafana-operator.v5.12.0
object operators Subscription.v1alpha1.operators.coreos.com grafana-operator '{channel: v5, name: grafana-operator, source: operatorhubio-catalog, sourceNamespace: olm}'
object my-grafana Grafana.v1beta1.grafana.integreatly.org grafana '{version: 11.1.0}'
kubectl -n my-grafana create configmap dashboards
furnished my-grafana

kubectl delete namespace olm --wait=false
# Remove the pods, as a kubelet does.
ended() { kubectl -n "$1" delete pod --all --force --grace-period=0 && ! kubectl -n "$1" get pods -o name | grep -q .; }
wait_for 60 "the pods of olm are gone" ended olm
available False v1.packages.operators.coreos.com
kubectl -n olm patch clusterserviceversion packageserver --type=merge -p 'metadata: {finalizers: null}'
[ -n "${TWIN:-}" ] || kubectl -n operators patch clusterserviceversion grafana-operator.v5.12.0 --type=merge -p 'metadata: {finalizers: null}'
# In the twin somebody has deleted the APIService.
[ -z "${TWIN:-}" ] || kubectl delete apiservice v1.packages.operators.coreos.com
kubectl delete namespace operators my-grafana --wait=false
wait_for 60 "the pods of operators are gone" ended operators
if [ -n "${TWIN:-}" ]; then
  wait_for 120 "olm is gone" gone namespace olm
  wait_for 120 "my-grafana is gone" gone namespace my-grafana
  looked operators
  wait_for 60 "the namespace controller has met the finalizer" \
    is True '{.status.conditions[?(@.type=="NamespaceFinalizersRemaining")].status}' namespace operators
else
  for name in olm operators my-grafana; do
    wait_for 90 "the namespace controller has met it in $name" \
      is True '{.status.conditions[?(@.type=="NamespaceDeletionDiscoveryFailure")].status}' namespace $name
  done
fi
late
for name in olm operators my-grafana; do
  if ! gone namespace $name; then aged 35 /registry/namespaces/$name namespace $name; fi
done
[ -z "${TWIN:-}" ] || aged 34 /registry/operators.coreos.com/clusterserviceversions/operators/grafana-operator.v5.12.0 clusterserviceversion grafana-operator.v5.12.0 -n operators
