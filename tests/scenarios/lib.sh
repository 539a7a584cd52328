# Sourced before every make.sh: what several scenarios need.
# kubectl talks to the disposable control plane that the scenario is made on;
# PLANE is its folder, CONTROL_PLANE its program, ETCD_ENDPOINT its etcd. File
# descriptor 3 ends with the test: what runs in the background ends with it.

# wait_for SECONDS "what" COMMAND...: until the command succeeds.
wait_for() {
  local seconds=$1 what=$2
  shift 2
  for _ in $(seq $((seconds * 4))); do
    if "$@" >/dev/null 2>&1; then return 0; fi
    sleep 0.25
  done
  echo "not within ${seconds}s: $what" >&2
  return 1
}

# gone TYPE NAME [-n NAMESPACE]: whether it does not exist.
gone() { test -z "$(kubectl get "$@" --ignore-not-found -o name)"; }

# is VALUE JSONPATH TYPE NAME [-n NAMESPACE]: whether a field has this value.
is() {
  local value=$1 path=$2
  shift 2
  test "$(kubectl get "$@" -o jsonpath="$path")" = "$value"
}

# crd PLURAL GROUP KIND: a namespaced kind without a controller.
crd() {
  kubectl apply -f - <<YAML
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: $1.$2}
spec:
  group: $2
  names: {plural: $1, singular: ${3,,}, kind: $3}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
YAML
  kubectl wait --for=condition=Established "crd/$1.$2" --timeout=20s
  wait_for 20 "$1.$2 is served" kubectl get "$1.$2" -A
}

# delete_namespace NAME...: and wait until each is late: its controller has
# looked, and what it asked to go should have gone.
delete_namespace() {
  kubectl delete namespace "$@" --wait=false
  local name
  for name in "$@"; do looked "$name"; done
  late
}

# looked NAMESPACE: until its controller has written conditions.
looked() {
  wait_for 60 "the namespace controller has looked at $1" \
    kubectl wait --for=jsonpath='{.status.conditions[0].type}' "namespace/$1" --timeout=1s
}

# late: until what was asked to go a moment ago is called late.
late() { sleep 6; }

# node NAME Ready|NotReady: a Node without a kubelet. A Ready one has its lease
# renewed until the test ends.
node() {
  local status=True reason=KubeletReady message="kubelet is posting ready status"
  if [ "$2" = NotReady ]; then
    status=Unknown reason=NodeStatusUnknown message="Kubelet stopped posting node status."
  fi
  kubectl apply -f - <<YAML
apiVersion: v1
kind: Node
metadata: {name: $1}
YAML
  kubectl patch node "$1" --subresource=status --type=merge -p "{\"status\":{\"conditions\":[{
    \"type\":\"Ready\",\"status\":\"$status\",\"reason\":\"$reason\",\"message\":\"$message\",
    \"lastHeartbeatTime\":\"$(date -u +%FT%TZ)\",\"lastTransitionTime\":\"$(date -u +%FT%TZ)\"}]}}"
  if [ "$2" = Ready ]; then
    heartbeat "$1"
    renew "$1" <&3 >/dev/null 2>&1 &
  fi
}

# heartbeat NODE: what a kubelet says every 10 seconds.
heartbeat() {
  kubectl apply -f - <<YAML
apiVersion: coordination.k8s.io/v1
kind: Lease
metadata: {name: $1, namespace: kube-node-lease}
spec: {holderIdentity: $1, leaseDurationSeconds: 40, renewTime: "$(date -u +%FT%T.000000Z)"}
YAML
}

# renew NODE: a heartbeat every 5 seconds, until stdin ends.
renew() {
  while true; do
    read -r -t 5 && return
    if [ $? -le 128 ]; then return; fi
    heartbeat "$1" </dev/null || true
  done
}

# pod NAMESPACE NAME NODE GRACE [FINALIZER]: a pod on a node without a kubelet.
pod() {
  kubectl apply -f - <<YAML
apiVersion: v1
kind: Pod
metadata: {name: $2, namespace: $1, finalizers: [${5:-}]}
spec:
  nodeName: $3
  automountServiceAccountToken: false
  terminationGracePeriodSeconds: $4
  containers: [{name: c, image: example.invalid/none}]
YAML
}

# phase NAMESPACE POD PHASE: what its kubelet says of a pod.
phase() {
  kubectl -n "$1" patch pod "$2" --subresource=status --type=merge -p "{\"status\":{\"phase\":\"$3\"}}"
}

# api_service VERSION GROUP NAMESPACE SERVICE [PORT]: an aggregated API.
api_service() {
  kubectl apply -f - <<YAML
apiVersion: apiregistration.k8s.io/v1
kind: APIService
metadata: {name: $1.$2}
spec:
  group: $2
  version: $1
  groupPriorityMinimum: 100
  versionPriority: 100
  insecureSkipTLSVerify: true
  service: {namespace: $3, name: $4, port: ${5:-443}}
YAML
}

# available True|False APISERVICE
available() {
  wait_for 60 "APIService $2 is Available=$1" \
    is "$1" '{.status.conditions[?(@.type=="Available")].status}' apiservice "$2"
}

# backend MODE: an aggregated API that answers, at BACKEND_PORT on loopback.
backend() {
  backend_mode "$1"
  "$CONTROL_PLANE" backend --mode-file "$PLANE/backend-mode" --cert-dir "$PLANE/certs" \
    <&3 >"$PLANE/backend" 2>&1 &
  wait_for 10 "the backend listens" grep -q ready "$PLANE/backend"
  BACKEND_PORT=$(sed 's/.*://' "$PLANE/backend")
}

# backend_mode MODE: how it answers from now on.
backend_mode() { echo "$1" >"$PLANE/backend-mode"; }

# backend_service NAMESPACE NAME: the Service by which the API server finds it.
backend_service() {
  kubectl apply -f - <<YAML
apiVersion: v1
kind: Service
metadata: {name: $2, namespace: $1}
spec: {type: ExternalName, externalName: 127.0.0.1, ports: [{port: $BACKEND_PORT}]}
YAML
}

# dead_webhook NAME OPERATION GROUP RESOURCE [NAMESPACE-SELECTOR]: a fail-closed
# webhook whose Service does not exist.
dead_webhook() {
  kubectl apply -f - <<YAML
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: $1}
webhooks:
- name: $1.acme.io
  admissionReviewVersions: [v1]
  sideEffects: None
  failurePolicy: Fail
  clientConfig: {service: {namespace: ops, name: $1, path: /validate}}
  namespaceSelector: ${5:-"{}"}
  rules: [{apiGroups: ["$3"], apiVersions: ["*"], operations: [$2], resources: [$4]}]
YAML
  # The API server takes a moment to heed it.
  sleep 2
}

# force_finalize NAMESPACE: the recipe found everywhere. The namespace vanishes
# and what is in it stays, beyond the reach of every update.
force_finalize() {
  kubectl delete namespace "$1" --wait=false
  kubectl get namespace "$1" -o json | sed 's/"kubernetes"//' >"$PLANE/finalize.json"
  kubectl replace --raw "/api/v1/namespaces/$1/finalize" -f "$PLANE/finalize.json"
  wait_for 10 "namespace $1 is gone" gone namespace "$1"
}

# furnished NAMESPACE: until it holds what Kubernetes puts into every one.
furnished() {
  wait_for 20 "the root certificates in $1" kubectl -n "$1" get configmap kube-root-ca.crt
  wait_for 20 "the default account in $1" kubectl -n "$1" get serviceaccount default
}

# owned NAMESPACE NAME API-VERSION KIND OWNER UID: a ConfigMap with an owner.
owned() {
  kubectl apply -f - <<YAML
apiVersion: v1
kind: ConfigMap
metadata:
  name: $2
  namespace: $1
  ownerReferences: [{apiVersion: $3, kind: $4, name: $5, uid: $6}]
YAML
}
