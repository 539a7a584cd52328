# A management cluster was uninstalled before its root object was deleted: its operators were
# deleted, the objects that they guard stayed, and then the namespace was deleted. Only webhooks and
# the root object, which is not being deleted, are left.
node worker Ready
settled worker
crd helmreleases helm.toolkit.fluxcd.io HelmRelease Namespaced v2
crd helmcharts source.toolkit.fluxcd.io HelmChart
crd helmrepositories source.toolkit.fluxcd.io HelmRepository
crd coreproviders operator.cluster.x-k8s.io CoreProvider Namespaced v1alpha2
crd infrastructureproviders operator.cluster.x-k8s.io InfrastructureProvider Namespaced v1alpha2
crd managements hmc.mirantis.com Management Cluster v1alpha1
crd clustertemplates hmc.mirantis.com ClusterTemplate Namespaced v1alpha1
crd clusters cluster.x-k8s.io Cluster Namespaced v1beta1
works 600 ingress-nginx ingress-nginx-controller secrets.
if [ -n "${TWIN:-}" ]; then
  operator flux-system helm-controller 0 helmreleases.helm.toolkit.fluxcd.io
  operator flux-system source-controller 0 helmcharts.source.toolkit.fluxcd.io helmrepositories.source.toolkit.fluxcd.io
  operator capi-operator-system capi-operator-cluster-api-operator 0 coreproviders.operator.cluster.x-k8s.io infrastructureproviders.operator.cluster.x-k8s.io
fi
kubectl create namespace hmc-system
furnished hmc-system
kubectl apply -f - <<'YAML'
apiVersion: hmc.mirantis.com/v1alpha1
kind: Management
metadata: {name: hmc, labels: {hmc.mirantis.com/component: hmc}}
spec: {release: hmc-0-0-6, providers: [{name: k0smotron}, {name: cluster-api-provider-aws}]}
YAML
kubectl patch management hmc --type=merge --field-manager=manager -p 'metadata: {finalizers: [hmc.mirantis.com/management]}'
object hmc-system HelmRepository.v1.source.toolkit.fluxcd.io hmc-templates '{type: oci, url: "oci://ghcr.io/mirantis/hmc/charts", interval: 10m}'
finalizer hmc-system helmrepositories hmc-templates finalizers.fluxcd.io source-controller
for name in hmc capi cluster-api-provider-aws; do
  object hmc-system HelmChart.v1.source.toolkit.fluxcd.io "$name-0-0-6" "{chart: $name, version: 0.0.6, sourceRef: {kind: HelmRepository, name: hmc-templates}}"
  finalizer hmc-system helmcharts "$name-0-0-6" finalizers.fluxcd.io source-controller
  says hmc-system helmcharts "$name-0-0-6" source-controller "{observedGeneration: 1, conditions: [$(condition Ready True ChartPullSucceeded "pulled ''$name'' chart with version ''0.0.6''")]}"
  object hmc-system HelmRelease.v2.helm.toolkit.fluxcd.io "$name" "{chartRef: {kind: HelmChart, name: $name-0-0-6}, interval: 10m, targetNamespace: hmc-system}"
  kubectl -n hmc-system label helmrelease "$name" hmc.mirantis.com/managed=true
  finalizer hmc-system helmreleases "$name" finalizers.fluxcd.io helm-controller
  says hmc-system helmreleases "$name" helm-controller "{observedGeneration: 1, conditions: [$(condition Ready True InstallSucceeded "Helm install succeeded for release hmc-system/$name.v1")]}"
done
for pair in CoreProvider:capi InfrastructureProvider:aws; do
  object hmc-system "${pair%:*}.v1alpha2.operator.cluster.x-k8s.io" "${pair#*:}" '{version: v1.9.3}'
  finalizer hmc-system "${pair%:*}" "${pair#*:}" provider.cluster.x-k8s.io manager
  says hmc-system "${pair%:*}" "${pair#*:}" manager "{installedVersion: v1.9.3, conditions: [$(condition Ready True), $(condition ProviderInstalled True)]}"
done
object hmc-system ClusterTemplate.v1alpha1.hmc.mirantis.com aws-standalone-cp-0-0-4 '{helm: {chartRef: {kind: HelmChart, name: capi-0-0-6}}}'
dead_webhook capi-validating UPDATE cluster.x-k8s.io clusters
delete_namespace hmc-system
for name in hmc capi cluster-api-provider-aws; do
  aged 45 /registry/helm.toolkit.fluxcd.io/helmreleases/hmc-system/$name helmrelease $name -n hmc-system
  aged 45 /registry/source.toolkit.fluxcd.io/helmcharts/hmc-system/$name-0-0-6 helmchart $name-0-0-6 -n hmc-system
done
aged 45 /registry/source.toolkit.fluxcd.io/helmrepositories/hmc-system/hmc-templates helmrepository hmc-templates -n hmc-system
aged 45 /registry/operator.cluster.x-k8s.io/coreproviders/hmc-system/capi coreprovider capi -n hmc-system
aged 45 /registry/operator.cluster.x-k8s.io/infrastructureproviders/hmc-system/aws infrastructureprovider aws -n hmc-system
aged 45 /registry/namespaces/hmc-system namespace hmc-system
