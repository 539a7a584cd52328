# Sourced before every make.sh: what several scenarios need.
# kubectl talks to the disposable control plane that the scenario is made on.

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

# node NAME Ready|NotReady: a Node without a kubelet. A Ready one keeps its
# heartbeat for an hour: its lease is renewed ahead.
node() {
  local status=True reason=KubeletReady
  if [ "$2" = NotReady ]; then status=Unknown reason=NodeStatusUnknown; fi
  kubectl apply -f - <<YAML
apiVersion: v1
kind: Node
metadata: {name: $1}
YAML
  kubectl patch node "$1" --subresource=status --type=merge -p "{\"status\":{\"conditions\":[{\"type\":\"Ready\",\"status\":\"$status\",\"reason\":\"$reason\",\"message\":\"recorded by hand\",\"lastHeartbeatTime\":\"$(date -u +%FT%TZ)\",\"lastTransitionTime\":\"$(date -u +%FT%TZ)\"}]}}"
  if [ "$2" = Ready ]; then
    kubectl apply -f - <<YAML
apiVersion: coordination.k8s.io/v1
kind: Lease
metadata: {name: $1, namespace: kube-node-lease}
spec: {holderIdentity: $1, leaseDurationSeconds: 3600, renewTime: "$(date -u -d '+1 hour' +%FT%T.000000Z 2>/dev/null || date -u +%FT%T.000000Z)"}
YAML
  fi
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

# api_service VERSION GROUP NAMESPACE SERVICE: an aggregated API.
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
  service: {namespace: $3, name: $4}
YAML
}

# looked NAMESPACE: until its controller has written conditions.
looked() {
  wait_for 60 "the namespace controller has looked at $1" \
    kubectl wait --for=jsonpath='{.status.conditions[0].type}' "namespace/$1" --timeout=1s
}
