# A served model is being deleted. The serving controller has released it. The controller of the
# model registry looks up its registry's Service first, and that was deleted before. A label has the
# name of the Service but not its kind or namespace, and only the log reports the failure.
node worker Ready
settled worker
crd inferenceservices serving.kserve.io InferenceService Namespaced v1beta1
crd servingruntimes serving.kserve.io ServingRuntime Namespaced v1alpha1
works 4000 kserve kserve-controller-manager inferenceservices.serving.kserve.io servingruntimes.serving.kserve.io
leading kserve kserve-controller-manager-leader-lock "$(pods_of kserve kserve-controller-manager)_1"
told kubeflow controller-controller-manager 1 'args: [--leader-elect, --health-probe-bind-address=:8081], env: [
  {name: NAMESPACE_LABEL, value: modelregistry.kubeflow.org/namespace}, {name: NAME_LABEL, value: modelregistry.kubeflow.org/name},
  {name: URL_ANNOTATION, value: modelregistry.kubeflow.org/url}, {name: INFERENCE_SERVICE_ID_LABEL, value: modelregistry.kubeflow.org/inference-service-id},
  {name: MODEL_VERSION_ID_LABEL, value: modelregistry.kubeflow.org/model-version-id}, {name: REGISTERED_MODEL_ID_LABEL, value: modelregistry.kubeflow.org/registered-model-id},
  {name: FINALIZER, value: modelregistry.kubeflow.org/finalizer}, {name: SERVICE_ANNOTATION, value: routing.kubeflow.org/external-address-rest},
  {name: REGISTRIES_NAMESPACE, value: kubeflow}, {name: SKIP_TLS_VERIFY, value: "false"}, {name: INFERENCE_SERVICE_CONTROLLER, value: managed}]' \
  inferenceservices.serving.kserve.io
kubectl apply -f - <<'YAML'
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: kubeflow-controller-controller-manager}
rules:
- {apiGroups: [""], resources: [services], verbs: [get, list, watch]}
- {apiGroups: [serving.kserve.io], resources: [inferenceservices], verbs: [get, list, patch, update, watch]}
- {apiGroups: [serving.kserve.io], resources: [inferenceservices/finalizers], verbs: [create, delete, get, list, patch, update, watch]}
YAML
pods_on worker kubeflow controller-controller-manager
pods_running_since 4000 kubeflow controller-controller-manager
leading kubeflow a7d60e25.kubeflow.org "$(pods_of kubeflow controller-controller-manager)_1"
works 4000 cert-manager cert-manager secrets.
namespace kubeflow
# registry NAME creates the Service of a model registry.
registry() {
  kubectl apply -f - <<YAML
apiVersion: v1
kind: Service
metadata: {name: $1, namespace: kubeflow, labels: {app: $1, component: model-registry}}
spec:
  selector: {component: model-registry-server, app: $1}
  ports: [{name: http-api, port: 8080, appProtocol: http}, {name: grpc-api, port: 9090, appProtocol: grpc}]
YAML
}
registry model-registry
registry model-registry-eu
kubectl create namespace team-a
# model NAME REGISTRY ID creates a model that is served and registered.
model() {
  kubectl apply -f - <<YAML
apiVersion: serving.kserve.io/v1beta1
kind: InferenceService
metadata:
  name: $1
  namespace: team-a
  labels: {modelregistry.kubeflow.org/registered-model-id: "$3", modelregistry.kubeflow.org/model-version-id: "2", modelregistry.kubeflow.org/name: $2}
spec: {predictor: {model: {modelFormat: {name: onnx}, runtime: kserve-ovms, storageUri: "s3://models/$1"}}}
YAML
  kubectl -n team-a patch inferenceservice "$1" --type=merge --field-manager=manager \
    -p "metadata: {finalizers: [inferenceservice.finalizers], labels: {}}"
  kubectl -n team-a patch inferenceservice "$1" --type=json --field-manager=manager \
    -p '[{"op": "add", "path": "/metadata/finalizers/-", "value": "modelregistry.kubeflow.org/finalizer"}]'
  kubectl -n team-a label --field-manager=manager inferenceservice "$1" "modelregistry.kubeflow.org/inference-service-id=1$3"
  says team-a inferenceservices "$1" manager "{url: \"http://$1-team-a.example.com\", modelStatus: {transitionStatus: UpToDate},
    conditions: [$(condition IngressReady True), $(condition PredictorReady True), $(condition Ready True)]}"
}
object team-a ServingRuntime.v1alpha1.serving.kserve.io kserve-ovms '{supportedModelFormats: [{name: onnx}]}'
model onnx-mnist model-registry 1
model translate model-registry-eu 2
if [ -z "${TWIN:-}" ]; then kubectl -n kubeflow delete service model-registry; fi
kubectl -n team-a delete inferenceservice onnx-mnist --wait=false
kubectl -n team-a patch inferenceservice onnx-mnist --type=merge --field-manager=manager \
  -p 'metadata: {finalizers: [modelregistry.kubeflow.org/finalizer]}'
late
aged 95 /registry/serving.kserve.io/inferenceservices/team-a/onnx-mnist inferenceservice onnx-mnist -n team-a
