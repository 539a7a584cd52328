# An operator cleans up by updating every namespace that it labelled. Its own webhook for namespaces
# runs in a namespace that is being deleted too. The Service is gone, but the webhook configuration
# still exists because that namespace owns it. (The report does not say what holds the namespace.
# Here a run holds it that nothing signs any more.)
backend ok
node worker Ready
settled worker
for kind in TektonConfig TektonPipeline TektonTrigger TektonChain TektonInstallerSet; do
  crd "${kind,,}s" operator.tekton.dev $kind Cluster v1alpha1
done
crd taskruns tekton.dev TaskRun
components="tektonconfigs.operator.tekton.dev tektonpipelines.operator.tekton.dev tektontriggers.operator.tekton.dev
  tektonchains.operator.tekton.dev tektoninstallersets.operator.tekton.dev"
# shellcheck disable=SC2086
works 600 openshift-operators openshift-pipelines-operator $components namespaces.
reconciler=github.com.tektoncd.operator.pkg.reconciler.shared.tektonconfig.reconciler.00-of-01
[ -n "${TWIN:-}" ] || leading openshift-operators "tekton-operator-lifecycle.$reconciler" \
  "$(pods_of openshift-operators openshift-pipelines-operator)_a1b2"
# The webhook for the operator's own kinds uses the same ServiceAccount and works.
operator openshift-operators tekton-operator-webhook 0
kubectl -n openshift-operators patch deployment tekton-operator-webhook --type=merge \
  -p 'spec: {replicas: 1, template: {spec: {serviceAccountName: openshift-pipelines-operator}}}'
pods_on worker openshift-operators tekton-operator-webhook
pods_running_since 600 openshift-operators tekton-operator-webhook
live_webhook Validating config.webhook.operator.tekton.dev ok '"*"' operator.tekton.dev '"*"'
# Another product that may change namespaces.
crd argocds argoproj.io ArgoCD Namespaced v1beta1
works 600 openshift-gitops-operator openshift-gitops-operator argocds.argoproj.io namespaces.

kubectl create namespace openshift-pipelines
for name in shop team-a; do kubectl create namespace $name; done
for name in default shop team-a; do
  kubectl label --field-manager=operator namespace $name openshift-pipelines.tekton.dev/namespace-reconcile-version=1.22.0
done
kubectl apply --field-manager=operator -f - <<'YAML'
apiVersion: operator.tekton.dev/v1alpha1
kind: TektonConfig
metadata: {name: config, labels: {openshift-pipelines.tekton.dev/sa-created: "true"}}
spec: {profile: all, targetNamespace: openshift-pipelines, pruner: {keep: 100, resources: [pipelinerun], schedule: 0 8 * * *}}
status:
  version: 1.22.0
  conditions:
  - {type: ComponentsReady, status: "True", lastTransitionTime: "2026-06-03T08:00:00Z"}
  - {type: PostInstall, status: "True", lastTransitionTime: "2026-06-03T08:00:00Z"}
  - {type: PreInstall, status: "True", lastTransitionTime: "2026-06-03T08:00:00Z"}
  - {type: PreUpgrade, status: "True", lastTransitionTime: "2026-06-03T08:00:00Z"}
  - {type: PostUpgrade, status: "True", lastTransitionTime: "2026-06-03T08:00:00Z"}
  - {type: Ready, status: "True", lastTransitionTime: "2026-06-03T08:00:00Z"}
YAML
finalizer "" tektonconfigs config tektonconfigs.operator.tekton.dev operator
for pair in TektonPipeline:pipeline TektonTrigger:trigger TektonChain:chain; do
  kind=${pair%:*} name=${pair#*:}
  kubectl apply --field-manager=operator -f - <<YAML
apiVersion: operator.tekton.dev/v1alpha1
kind: $kind
metadata: {name: $name, ownerReferences: [$(owner tektonconfigs config)]}
spec: {targetNamespace: openshift-pipelines}
status:
  version: 1.22.0
  conditions:
  - {type: InstallerSetReady, status: "False", reason: Error, message: "Webhook deployment is not ready: deployment is not found", lastTransitionTime: "$(now)"}
  - {type: Ready, status: "False", reason: Error, message: "Webhook deployment is not ready: deployment is not found", lastTransitionTime: "$(now)"}
YAML
  finalizer "" "${kind,,}s" $name "${kind,,}s.operator.tekton.dev" operator
done

operator openshift-pipelines tekton-operator-proxy-webhook 1
service openshift-pipelines tekton-operator-proxy-webhook 443 8443
object openshift-pipelines TaskRun.v1.tekton.dev prune-28612 '{taskRef: {name: prune}}'
finalizer openshift-pipelines taskruns prune-28612 chains.tekton.dev controller

kubectl delete tektonconfig config --wait=false
kubectl -n openshift-pipelines delete deployment,service --all --wait=false
# The product's webhook configurations, as its own processes complete them. The namespace owns them.
guard() {
  kubectl apply --field-manager=proxy-webhook -f - <<YAML
apiVersion: admissionregistration.k8s.io/v1
kind: $1
metadata: {name: $2, ownerReferences: [$(owner namespace openshift-pipelines "" false)]}
webhooks:
- name: $2
  admissionReviewVersions: [v1, v1beta1]
  sideEffects: None
  failurePolicy: Fail
  clientConfig: {service: {name: tekton-operator-proxy-webhook, namespace: openshift-pipelines, path: $3}}
  rules: [$4]
  $5
YAML
}
guard MutatingWebhookConfiguration proxy.operator.tekton.dev /defaulting \
  '{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}' \
  'objectSelector: {matchLabels: {app.kubernetes.io/managed-by: tekton-pipelines}}'
guard ValidatingWebhookConfiguration namespace.operator.tekton.dev /namespace-validation \
  '{apiGroups: [""], apiVersions: [v1], operations: [CREATE, UPDATE], resources: [namespaces, namespaces/status]}' \
  "namespaceSelector: {matchExpressions: [{key: control-plane, operator: DoesNotExist}]}
  matchConditions: [{name: exclude-system-namespaces, expression: \"!(object.metadata.name.startsWith('kube-') || object.metadata.name.startsWith('openshift-'))\"}]"
refused() { ! kubectl annotate namespace default a=b --dry-run=server; }
wait_for 30 "the webhook is heeded" refused
kubectl delete namespace openshift-pipelines --wait=false
looked openshift-pipelines
late
aged 70 /registry/operator.tekton.dev/tektonconfigs/config tektonconfig config
aged 68 /registry/namespaces/openshift-pipelines namespace openshift-pipelines
if [ -n "${TWIN:-}" ]; then
  # The namespace is released and its webhooks are deleted with it. The operator is stopped.
  kubectl -n openshift-pipelines patch taskrun prune-28612 --type=merge -p 'metadata: {finalizers: null}'
  kubectl delete validatingwebhookconfiguration/namespace.operator.tekton.dev mutatingwebhookconfiguration/proxy.operator.tekton.dev
  wait_for 60 "the namespace is gone" gone namespace openshift-pipelines
  kubectl -n openshift-operators scale deployment openshift-pipelines-operator --replicas=0
  kubectl -n openshift-operators delete pod -l app.kubernetes.io/name=openshift-pipelines-operator --force --grace-period=0
fi
# said TYPE NAME EVENT-TYPE REASON MESSAGE creates an event of the operator about a cluster-scoped
# object.
said() {
  local version kind uid
  read -r version kind uid <<<"$(kubectl get "$1" "$2" -o jsonpath='{.apiVersion} {.kind} {.metadata.uid}')"
  kubectl create -f - <<YAML
apiVersion: v1
kind: Event
metadata: {generateName: "$2.", namespace: default}
involvedObject: {apiVersion: $version, kind: $kind, name: $2, uid: $uid}
type: $3
reason: $4
message: '$5'
source: {component: tektonconfig-controller}
count: $7
firstTimestamp: "$(date -u -d "-69 minutes" +%FT%TZ)"
lastTimestamp: "$(date -u -d "-$6 minutes" +%FT%TZ)"
YAML
}
said tektonconfig config Warning InternalError 'failed to update namespace default: Internal error occurred: failed calling webhook "namespace.operator.tekton.dev": failed to call webhook: Post "https://tekton-operator-proxy-webhook.openshift-pipelines.svc:443/namespace-validation?timeout=10s": service "tekton-operator-proxy-webhook" not found' "$([ -n "${TWIN:-}" ] && echo 41 || echo 3)" 19
