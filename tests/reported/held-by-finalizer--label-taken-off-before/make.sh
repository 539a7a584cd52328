# A webhook adds a finalizer and a container to each pod with a certain label. Later the label was
# removed from a pod, so its operator no longer handles the pod and the finalizer stays. (The pods
# are created as the webhook would change them: the creator of the pod owns the added fields.)
node worker Ready
settled worker
crd modelvalidations ml.sigstore.dev ModelValidation Namespaced v1alpha1
service_account model-validation-operator-system model-validation-controller-manager
kubectl apply -f - <<'YAML'
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: model-validation-manager-role}
rules:
- {apiGroups: [""], resources: [namespaces], verbs: [get, list, watch]}
- {apiGroups: [""], resources: [pods], verbs: [get, list, update, watch]}
- {apiGroups: [""], resources: [pods/finalizers], verbs: [update]}
- {apiGroups: [ml.sigstore.dev], resources: [modelvalidations], verbs: [get, list, watch]}
- {apiGroups: [ml.sigstore.dev], resources: [modelvalidations/status], verbs: [update]}
YAML
kubectl create clusterrolebinding model-validation-manager-rolebinding --clusterrole=model-validation-manager-role \
  --serviceaccount=model-validation-operator-system:model-validation-controller-manager
deployment model-validation-operator-system model-validation-controller-manager "$([ -n "${TWIN:-}" ] && echo 0 || echo 1)"
if [ -z "${TWIN:-}" ]; then
  pods_on worker model-validation-operator-system model-validation-controller-manager
  pods_running_since 600 model-validation-operator-system model-validation-controller-manager
  leading model-validation-operator-system 2b2639c9.sigstore.dev "$(pods_of model-validation-operator-system model-validation-controller-manager)_7e1c"
fi
# Two unrelated operators that may change pods.
operator batch-system batch-operator 1 pods.
operator mesh mesh-injector 1 pods.
for pair in batch-system:batch-operator mesh:mesh-injector; do
  pods_on worker "${pair%:*}" "${pair#*:}"
  pods_running_since 600 "${pair%:*}" "${pair#*:}"
done
backend ok
live_webhook Mutating model-validation-mutating-webhook-configuration ok '"CREATE", "UPDATE"' '' pods

kubectl create namespace ml
furnished ml
object ml ModelValidation.v1alpha1.ml.sigstore.dev demo '{model: {path: /data/tensorflow_saved_model, signaturePath: /data/tensorflow_saved_model/model.sig}, config: {sigstoreConfig: {certificateIdentity: ci@example.com, certificateOidcIssuer: "https://token.actions.githubusercontent.com"}}}'
# validated NAME creates a running pod as the webhook changes it.
validated() {
  kubectl create -f - <<YAML
apiVersion: v1
kind: Pod
metadata:
  name: $1
  namespace: ml
  labels: {validation.ml.sigstore.dev/ml: demo}
  annotations: {validation.ml.sigstore.dev/injected-at: "$(now)", validation.ml.sigstore.dev/auth-method: sigstore, validation.ml.sigstore.dev/config-hash: 9f31c2ab}
  finalizers: [validation.ml.sigstore.dev/finalizer]
spec:
  nodeName: worker
  automountServiceAccountToken: false
  terminationGracePeriodSeconds: 5
  initContainers: [{name: model-validation, image: example.invalid/model-transparency, command: [/usr/local/bin/model_signing], args: [verify, sigstore, --signature=/data/tensorflow_saved_model/model.sig]}]
  containers: [{name: server, image: example.invalid/server}]
YAML
  kubectl -n ml patch pod "$1" --subresource=status --type=merge --field-manager=kubelet -p "status: {phase: Running, startTime: \"$(now)\",
    conditions: [$(condition Initialized True), $(condition Ready True)],
    initContainerStatuses: [{name: model-validation, image: example.invalid/model-transparency, imageID: x, ready: true, restartCount: 0, state: {terminated: {exitCode: 0, reason: Completed}}}],
    containerStatuses: [{name: server, image: example.invalid/server, imageID: x, ready: true, restartCount: 0, state: {running: {startedAt: \"$(now)\"}}}]}"
}
validated my-pod
validated other-pod
tracked() { kubectl -n ml get pod "$1" -o jsonpath='{"{"}name: {.metadata.name}, uid: {.metadata.uid}, injectedAt: "{.metadata.creationTimestamp}"{"}"}'; }
[ -n "${TWIN:-}" ] || kubectl -n ml label pod my-pod validation.ml.sigstore.dev/ml-
says ml modelvalidations demo manager "{authMethod: sigstore, injectedPodCount: 1, uninjectedPodCount: 0, orphanedPodCount: 0, lastUpdated: \"$(now)\", injectedPods: [$(tracked other-pod)]}"

kubectl -n ml delete pod my-pod --wait=false
# The kubelet has ended the containers.
kubectl -n ml patch pod my-pod --subresource=status --type=merge --field-manager=kubelet -p "status: {phase: Failed, conditions: [$(condition Initialized True), $(condition Ready False PodFailed)],
  containerStatuses: [{name: server, image: example.invalid/server, imageID: x, ready: false, restartCount: 0, state: {terminated: {exitCode: 137, reason: Error, startedAt: \"$(now)\", finishedAt: \"$(now)\"}}}]}"
kubectl -n ml delete pod my-pod --grace-period=0 --force --wait=false
late
aged 75 /registry/pods/ml/my-pod pod my-pod -n ml
