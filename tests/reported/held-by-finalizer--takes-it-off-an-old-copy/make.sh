# An operator writes a condition and then removes its finalizer from the copy that it read before
# that. The API server refuses the update as outdated, each time. Only the operator's log says so.
# The missing mesh that its conditions mention is unrelated.
node worker Ready
settled worker
crd dscinitializations dscinitialization.opendatahub.io DSCInitialization Cluster v1
crd datascienceclusters datasciencecluster.opendatahub.io DataScienceCluster Cluster v1
crd featuretrackers features.opendatahub.io FeatureTracker Cluster v1
crd subscriptions operators.coreos.com Subscription Namespaced v1alpha1
works 600 openshift-operators opendatahub-operator-controller-manager dscinitializations.dscinitialization.opendatahub.io \
  datascienceclusters.datasciencecluster.opendatahub.io featuretrackers.features.opendatahub.io
leading openshift-operators 07ed84f7.opendatahub.io opendatahub-operator-controller-manager-76_1
works 600 olm olm-operator subscriptions.operators.coreos.com
object openshift-operators Subscription.v1alpha1.operators.coreos.com opendatahub-operator '{name: opendatahub-operator, source: community-operators, channel: fast}'
kubectl create namespace opendatahub
kubectl label namespace opendatahub opendatahub.io/generated-namespace=true
kubectl apply -f - <<'YAML'
apiVersion: dscinitialization.opendatahub.io/v1
kind: DSCInitialization
metadata: {name: default-dsci, labels: {app.kubernetes.io/created-by: opendatahub-operator}}
spec:
  applicationsNamespace: opendatahub
  monitoring: {managementState: Managed, namespace: opendatahub}
  serviceMesh: {managementState: Managed, controlPlane: {name: data-science-smcp, namespace: istio-system, metricsCollection: Istio}, auth: {audiences: ["https://kubernetes.default.svc"]}}
  trustedCABundle: {managementState: Managed, customCABundle: ""}
YAML
kubectl patch dscinitialization default-dsci --type=merge --field-manager=manager -p 'metadata: {finalizers: [dscinitialization.opendatahub.io/finalizer]}'
# said TYPE STATUS REASON MESSAGE [MINUTES-AGO] prints a condition that changed long ago and whose
# heartbeat is this old.
said() {
  echo "{type: $1, status: '$2', reason: $3, message: '$4', lastTransitionTime: '$(date -u -d '-95 minutes' +%FT%TZ)',
    lastHeartbeatTime: '$(date -u -d "-${5:-95} minutes" +%FT%TZ)'}"
}
first="$(said ReconcileComplete Unknown ReconcileInit 'Initializing DSCInitialization resource'), $(said Available False ReconcileInit 'Initializing DSCInitialization resource'),
  $(said Progressing True ReconcileInit 'Initializing DSCInitialization resource'), $(said Degraded False ReconcileInit 'Initializing DSCInitialization resource'),
  $(said Upgradeable Unknown ReconcileInit 'Initializing DSCInitialization resource')"
authorization=$(said CapabilityServiceMeshAuthorization False MissingOperator 'Authorino operator is not installed on the cluster, skipping authorization capability')
kubectl patch dscinitialization default-dsci --type=merge --field-manager=manager -p "status: {phase: Progressing, conditions: [$first,
  $(said CapabilityServiceMesh False MissingOperator 'failed to find the pre-requisite operator subscription "servicemeshoperator", please ensure operator is installed.'), $authorization]}"
event default dscinitialization default-dsci DSCInitializationReconcileError "failed applying service mesh resources" DSCInitialization
kubectl delete dscinitialization default-dsci --wait=false
removed() {
  kubectl patch dscinitialization default-dsci --type=merge --field-manager=manager -p "status: {phase: Progressing, conditions: [$first,
    $(said CapabilityServiceMesh True Removed 'Service Mesh removed' 1), $(said CapabilityServiceMeshAuthorization False MissingOperator 'Authorino operator is not installed on the cluster, skipping authorization capability' 1)]}"
}
removed
late
aged 90 /registry/dscinitialization.opendatahub.io/dscinitializations/default-dsci dscinitialization default-dsci
removed
