# A service uses a model that was disabled later. Admission checks the model on every update of the
# service, also when its operator removes the finalizer, and reports what is wrong with the model.
# (In the report a webhook does that. Here a policy returns the same message, because the test
# backend only has its own messages.)
node worker Ready
settled worker
crd inferenceservices ome.io InferenceService Namespaced v1beta1
crd clusterbasemodels ome.io ClusterBaseModel Cluster v1beta1
works 600 ome ome-controller-manager inferenceservices.ome.io clusterbasemodels.ome.io
[ -n "${TWIN:-}" ] || leading ome ome-controller-manager-leader-lock ome-controller-manager-7d_1
object "" ClusterBaseModel.v1beta1.ome.io llama-3-3-70b-instruct '{displayName: Llama 3.3, disabled: '"$([ -n "${TWIN:-}" ] && echo false || echo true)}"
object "" ClusterBaseModel.v1beta1.ome.io qwen-2-5-7b '{displayName: Qwen 2.5}'
kubectl create namespace models
object models InferenceService.v1beta1.ome.io llama '{model: {kind: ClusterBaseModel, name: llama-3-3-70b-instruct}}'
object models InferenceService.v1beta1.ome.io qwen '{model: {kind: ClusterBaseModel, name: qwen-2-5-7b}}'
for name in llama qwen; do finalizer models inferenceservices $name inferenceservice.finalizers manager; done
kubectl apply -f - <<'YAML'
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: inferenceservice.ome-webhook-server.validator}
spec:
  paramKind: {apiVersion: ome.io/v1beta1, kind: ClusterBaseModel}
  matchConstraints:
    resourceRules: [{apiGroups: [ome.io], apiVersions: ["*"], operations: [CREATE, UPDATE], resources: [inferenceservices]}]
  validations:
  - expression: "object.spec.model.name != params.metadata.name || !has(params.spec.disabled) || !params.spec.disabled"
    messageExpression: "'model ' + params.metadata.name + ' is disabled'"
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: inferenceservice.ome-webhook-server.validator}
spec: {policyName: inferenceservice.ome-webhook-server.validator, validationActions: [Deny], paramRef: {selector: {}, parameterNotFoundAction: Allow}}
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: names}
spec:
  matchConstraints:
    resourceRules: [{apiGroups: [ome.io], apiVersions: ["*"], operations: [CREATE, UPDATE], resources: [inferenceservices]}]
  validations: [{expression: "object.metadata.name.size() < 40", message: names are short}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: names}
spec: {policyName: names, validationActions: [Deny]}
YAML
refused() { ! kubectl -n models annotate inferenceservice llama a=b --dry-run=server; }
if [ -n "${TWIN:-}" ]; then kubectl -n ome scale deployment ome-controller-manager --replicas=0; else wait_for 60 "the policy is heeded" refused; fi
kubectl -n models delete inferenceservice llama --wait=false
late
aged 75 /registry/ome.io/inferenceservices/models/llama inferenceservice llama -n models
