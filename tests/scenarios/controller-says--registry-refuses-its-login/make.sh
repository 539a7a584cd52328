# A registry of models answers 401 to the controller that has to take a model out. Only its log says so
# (controller-runtime, JSON with its own keys for the object).
crd inferenceservices serving.kserve.io InferenceService Namespaced v1beta1
logging kubeflow model-registry-controller inferenceservices.serving.kserve.io
hung 5 team-a InferenceService.v1beta1.serving.kserve.io inferenceservices onnx-mnist modelregistry.kubeflow.org/finalizer manager \
  '{predictor: {model: {modelFormat: {name: onnx}}}}'
logged kubeflow "$(pods_of kubeflow model-registry-controller)" manager onnx-mnist <<'LOG'
{"level":"error","ts":"@iso","logger":"controllers.InferenceService","msg":"Unable to delete the deployment of the model","controller":"inferenceservice","object":{"name":"onnx-mnist","namespace":"team-a"},"reconcileID":"77c1e0aa-90c4-4f55-b1a7-0c9d8e7f6a5b","error":"list registered models: 401 Unauthorized: the token of service account model-registry-controller has expired"}
LOG
