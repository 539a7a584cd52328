# Sourced before every make.sh: what several scenarios need.
# kubectl talks to the disposable control plane that the scenario is made on;
# PLANE is its folder, CONTROL_PLANE its program, ETCD_ENDPOINT its etcd. File
# descriptor 3 ends with the test: what runs in the background ends with it.

# A run of kubectl lives for a moment: collecting its garbage would be a quarter of
# what it computes.
kubectl() { GOGC=off GOMAXPROCS=1 command kubectl "$@"; }

# wait_for SECONDS "what" COMMAND...: until the command succeeds. A machine that has
# other things to do besides is given three times as long.
wait_for() {
  local seconds=$1 what=$2 pause=0.2
  shift 2
  local until=$((SECONDS + 3 * seconds))
  while [ $SECONDS -le $until ]; do
    if "$@" >/dev/null 2>&1; then return 0; fi
    sleep $pause
    pause=0.5
  done
  echo "not within $((3 * seconds))s: $what" >&2
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

# crd PLURAL GROUP KIND [Cluster|Namespaced [VERSION]]: a kind without a controller. The API server
# takes one in a group of Kubernetes only with a word about its approval.
crd() {
  local approval=
  if [[ $2 == *.k8s.io ]]; then approval='api-approved.kubernetes.io: "unapproved, for a test"'; fi
  kubectl apply -f - <<YAML
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: $1.$2, annotations: {$approval}}
spec:
  group: $2
  names: {plural: $1, singular: ${3,,}, kind: $3}
  scope: ${4:-Namespaced}
  versions:
  - name: ${5:-v1}
    served: true
    storage: true
    schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
YAML
  kubectl wait --for=condition=Established "crd/$1.$2" --timeout=60s
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

# settled NODE...: they have been ready for days.
settled() {
  local name
  for name in "$@"; do
    kubectl patch node "$name" --subresource=status --type=strategic -p "{\"status\":{\"conditions\":[{
      \"type\":\"Ready\",\"lastTransitionTime\":\"$(date -u -d '-9 days' +%FT%TZ)\"}]}}"
  done
}

# looked NAMESPACE: until its controller has written conditions.
looked() {
  kubectl wait --for=jsonpath='{.status.conditions[0].type}' "namespace/$1" --timeout=180s
}

# late: until what was asked to go a moment ago is called late.
late() { sleep 6; }

# aged MINUTES KEY TYPE NAME [-n NAMESPACE]: as if everything of an object but its
# creation had happened so long ago, its deletion, too; in the store it is at KEY.
aged() { set_back /creationTimestamp/! deletionTimestamp "$@"; }

# born MINUTES KEY TYPE NAME [-n NAMESPACE]: as if it had been created so long ago.
born() { set_back /creationTimestamp/ creationTimestamp "$@"; }

# old MINUTES KEY TYPE NAME [-n NAMESPACE]: as if all of it had happened so long ago, its
# creation, too.
old() { set_back "" creationTimestamp "$@"; }

# old_kind PLURAL.GROUP: a definition that has been there for three months.
old_kind() { old 129600 "/registry/apiextensions.k8s.io/customresourcedefinitions/$1" crd "$1"; }

# set_back WHICH FIELD MINUTES KEY TYPE NAME [-n NAMESPACE]: the times on the lines that sed
# finds by WHICH; FIELD is one of them. The API server reads JSON from the store, too
# (<https://kubernetes.io/docs/reference/using-api/api-concepts/#alternate-representations-of-resources>).
set_back() {
  local which=$1 field=$2 key=$4 object then
  then=$(date -u -d "-$3 minutes" +%FT%TZ)
  shift 4
  object=$(kubectl get "$@" -o json --show-managed-fields)
  object=$(sed -E "${which}s/\"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]+Z\"/\"$then\"/g; /\"resourceVersion\"/d" <<<"$object")
  "$CONTROL_PLANE" etcd-put "$key" "$object" --endpoint "$ETCD_ENDPOINT"
  wait_for 20 "$field of $* is set back" is "$then" "{.metadata.$field}" "$@"
}

# node NAME Ready|NotReady|Fading: a Node without a kubelet. A Ready one has its lease
# renewed until the test ends; a fading one was heard of for the last time.
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
    every 5 renew kube-node-lease "$1" <&3 >/dev/null 2>&1 &
  elif [ "$2" = Fading ]; then
    heartbeat "$1"
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

# kubelet: a stand-in that answers for logs, at KUBELET_PORT on loopback.
kubelet() {
  "$CONTROL_PLANE" kubelet --dir "$PLANE/pod-logs" --cert-dir "$PLANE/certs" --mode-file "$PLANE/kubelet-mode" \
    <&3 >"$PLANE/kubelet" 2>&1 &
  wait_for 10 "the kubelet's stand-in listens" grep -q ready "$PLANE/kubelet"
  KUBELET_PORT=$(sed 's/.*://' "$PLANE/kubelet")
}

# kubelet_mode ok|hang|error|forbidden: how it answers from now on.
kubelet_mode() { echo "$1" >"$PLANE/kubelet-mode"; }

# node_with_kubelet NAME: a Ready node whose kubelet is the stand-in.
node_with_kubelet() {
  node "$1" Ready
  kubectl patch node "$1" --subresource=status --type=merge -p "{\"status\":{
    \"addresses\":[{\"type\":\"InternalIP\",\"address\":\"127.0.0.1\"}],
    \"daemonEndpoints\":{\"kubeletEndpoint\":{\"Port\":$KUBELET_PORT}}}}"
}

# log NAMESPACE POD CONTAINER TEXT: a line that the container writes; the
# container of the run before it is CONTAINER.previous.
log() {
  mkdir -p "$PLANE/pod-logs/$1/$2"
  echo "$(date -u +%FT%T.%NZ) stdout F $4" >>"$PLANE/pod-logs/$1/$2/$3.log"
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

# available True|False APISERVICE: one that is unavailable may still be on its way for a while.
available() {
  kubectl wait --for=condition=Available="$1" "apiservice/$2" --timeout=180s
  [ "$1" = True ] || late
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

# live_webhook Validating|Mutating NAME MODE OPERATIONS GROUP RESOURCE [FIELDS]: one
# that is answered, in its own mode of the backend, which must run.
live_webhook() {
  kubectl apply -f - <<YAML
apiVersion: admissionregistration.k8s.io/v1
kind: $1WebhookConfiguration
metadata: {name: $2}
webhooks:
- name: $2.acme.io
  admissionReviewVersions: [v1]
  sideEffects: None
  clientConfig:
    url: https://127.0.0.1:$BACKEND_PORT/mode/$3
    caBundle: $(base64 -w0 "$PLANE/certs/ca.crt")
  rules: [{apiGroups: ["$5"], apiVersions: ["*"], operations: [$4], resources: [$6]}]
  ${7:-}
YAML
}

# force_finalize NAMESPACE: the recipe found everywhere. The namespace vanishes
# and what is in it stays, beyond the reach of every update. Its controller begins to
# empty it after five seconds: whatever can be done before the deletion is.
force_finalize() {
  kubectl get namespace "$1" -o json | sed -e 's/"kubernetes"//' -e '/"resourceVersion"/d' >"$PLANE/finalize.json"
  kubectl delete namespace "$1" --wait=false
  kubectl replace --raw "/api/v1/namespaces/$1/finalize" -f "$PLANE/finalize.json"
  wait_for 10 "namespace $1 is gone" gone namespace "$1"
}

# furnished NAMESPACE: until it holds what Kubernetes puts into every one.
furnished() {
  wait_for 20 "the root certificates in $1" kubectl -n "$1" get configmap kube-root-ca.crt
  wait_for 20 "the default account in $1" kubectl -n "$1" get serviceaccount default
}

# names_owner NAMESPACE NAME API-VERSION KIND OWNER UID: a ConfigMap whose owner may
# not exist.
names_owner() {
  kubectl apply -f - <<YAML
apiVersion: v1
kind: ConfigMap
metadata:
  name: $2
  namespace: $1
  ownerReferences: [{apiVersion: $3, kind: $4, name: $5, uid: $6}]
YAML
}

# owned NAMESPACE NAME [FINALIZERS] [REFERENCE...]: a ConfigMap with owners, as
# `owner` names them.
owned() {
  local namespace=$1 name=$2 finalizers=${3:-}
  shift $(($# < 3 ? $# : 3))
  kubectl apply --field-manager=acme-operator -f - <<YAML
apiVersion: v1
kind: ConfigMap
metadata:
  name: $name
  namespace: $namespace
  finalizers: [$finalizers]
  ownerReferences: [$(IFS=,; echo "$*")]
YAML
}

# owner TYPE NAME [NAMESPACE] [BLOCKS]: a reference to an object that exists.
owner() {
  kubectl get "$1" "$2" ${3:+-n "$3"} \
    -o jsonpath="{'{'}apiVersion: {.apiVersion}, kind: {.kind}, name: {.metadata.name}, uid: {.metadata.uid}, blockOwnerDeletion: ${4:-true}{'}'}"
}

# seen: until the garbage collector has seen what was just made.
seen() { sleep 3; }

# watched NAMESPACE KIND.VERSION.GROUP: until the garbage collector watches a kind, and with it what
# was just made of it. It looks for new kinds every half minute, and until then an owner that is
# deleted in the foreground does not wait for a dependent of that kind. The sign is an object whose
# owner never was: it goes.
watched() {
  local kind=${2%%.*} rest=${2#*.}
  kubectl apply -f - <<YAML
apiVersion: ${rest#*.}/${rest%%.*}
kind: $kind
metadata:
  name: nobodys
  namespace: $1
  ownerReferences: [{apiVersion: v1, kind: ConfigMap, name: never-was, uid: 5f2b7a3e-0c4d-4e0a-9b51-1d7c3a9e6f20}]
YAML
  wait_for 60 "the garbage collector watches each $kind" gone "$kind.${rest#*.}" nobodys -n "$1"
}

# foreground TYPE NAME... [-n NAMESPACE]: deletion in the foreground.
foreground() { kubectl delete "$@" --cascade=foreground --wait=false; }

# alone: fails in a control plane that is handed on to other tests.
alone() {
  [ -n "$ALONE" ] || { echo "say in scenario.yaml why it is alone" >&2; return 1; }
}

# manager SIGNAL: to the controller manager of this control plane.
manager() {
  alone
  kill -s "$1" "$(sed -n 's/.*"kube-controller-manager": *\([0-9]*\).*/\1/p' "$PLANE/pids")"
}

# Operators. What a chart would write, and what a kubelet would say of its pods.

# namespace NAME: unless it is there.
namespace() { kubectl get namespace "$1" >/dev/null 2>&1 || kubectl create namespace "$1"; }

# operator NAMESPACE NAME REPLICAS [RESOURCE.GROUP...]: a Deployment that may work on
# these kinds everywhere, as Helm installs it.
operator() {
  local namespace=$1 name=$2 replicas=$3
  shift 3
  service_account "$namespace" "$name"
  if [ $# -gt 0 ]; then
    rights "$namespace-$name" "$@"
    kubectl create clusterrolebinding "$namespace-$name" --clusterrole="$namespace-$name" \
      --serviceaccount="$namespace:$name"
  fi
  deployment "$namespace" "$name" "$replicas"
}

# works MINUTES NAMESPACE NAME [RESOURCE.GROUP...]: an operator that has been at work for so
# long, on node worker.
works() {
  local minutes=$1 namespace=$2 name=$3
  shift 3
  operator "$namespace" "$name" 1 "$@"
  pods_on worker "$namespace" "$name"
  pods_running_since "$minutes" "$namespace" "$name"
}

# leads NAMESPACE NAME LEASE REPLICAS [RESOURCE.GROUP...]: an operator that has been at work for
# ten hours and leads, or one at 0.
leads() {
  local namespace=$1 name=$2 lease=$3 replicas=$4
  shift 4
  if [ "$replicas" = 0 ]; then
    operator "$namespace" "$name" 0 "$@"
  else
    works 600 "$namespace" "$name" "$@"
    leading "$namespace" "$lease" "$(pods_of "$namespace" "$name")_4c1e6a0b"
  fi
}

# drained NODE OPERATOR FINALIZER TAINT: a node that its operator, which runs on node worker, drains
# for good once somebody deletes it.
drained() {
  operator "$2" "$2" 1 nodes.
  node worker Ready
  node "$1" Ready
  kubectl patch node "$1" --type=merge --field-manager="$2" \
    -p "{\"metadata\":{\"finalizers\":[\"$3\"]},\"spec\":{\"taints\":[{\"key\":\"$4\",\"effect\":\"NoSchedule\"}]}}"
  pods_ready "$2" "$2"
}

# service_account NAMESPACE NAME: and its namespace, if need be.
service_account() {
  namespace "$1"
  kubectl apply -f - <<YAML
apiVersion: v1
kind: ServiceAccount
metadata: {name: $2, namespace: $1, $(helm "$1" "$2")}
YAML
}

# rights NAME RESOURCE.GROUP...: a ClusterRole to work on these kinds.
rights() {
  local name=$1 rules= of
  shift
  for of in "$@"; do
    local resource=${of%%.*} group=${of#*.}
    rules+="{apiGroups: [\"$group\"], resources: [$resource], verbs: [get, list, watch, update, patch]},"
    rules+="{apiGroups: [\"$group\"], resources: [$resource/status, $resource/finalizers], verbs: [update, patch]},"
  done
  kubectl apply -f - <<YAML
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: $name, labels: {app.kubernetes.io/managed-by: Helm}}
rules: [$rules]
YAML
}

# deployment NAMESPACE NAME REPLICAS: it runs as the ServiceAccount of its name.
deployment() {
  kubectl apply -f - <<YAML
apiVersion: apps/v1
kind: Deployment
metadata: {name: $2, namespace: $1, $(helm "$1" "$2")}
spec:
  replicas: $3
  selector: {matchLabels: {app.kubernetes.io/name: $2}}
  template:
    metadata: {labels: {app.kubernetes.io/name: $2, app.kubernetes.io/instance: $2}}
    spec:
      serviceAccountName: $2
      automountServiceAccountToken: false
      containers: [{name: manager, image: "example.invalid/$2"}]
YAML
}

# helm NAMESPACE RELEASE: the marks of a Helm release, inside metadata.
helm() {
  echo "labels: {app.kubernetes.io/name: $2, app.kubernetes.io/instance: $2, app.kubernetes.io/managed-by: Helm}," \
    "annotations: {meta.helm.sh/release-name: $2, meta.helm.sh/release-namespace: $1}"
}

# released_by NAMESPACE RELEASE TYPE NAME: puts these marks on an object.
released_by() { kubectl patch "$3" "$4" --type=merge -p "metadata: {$(helm "$1" "$2")}"; }

# pods_of NAMESPACE NAME: the pods of a workload, once there are any.
pods_of() {
  some_pods() { test -n "$(kubectl -n "$1" get pods -l "app.kubernetes.io/name=$2" -o name)"; }
  wait_for 30 "pods of $1/$2" some_pods "$1" "$2"
  kubectl -n "$1" get pods -l "app.kubernetes.io/name=$2" -o jsonpath='{.items[*].metadata.name}'
}

# pods_status NAMESPACE NAME STATUS: what the kubelet or the scheduler says of them.
pods_status() {
  local pod
  for pod in $(pods_of "$1" "$2"); do
    kubectl -n "$1" patch pod "$pod" --subresource=status --type=merge -p "status: $3"
  done
}

# pods_on NODE NAMESPACE NAME: what the scheduler does.
pods_on() {
  local pod
  for pod in $(pods_of "$2" "$3"); do
    kubectl create --raw "/api/v1/namespaces/$2/pods/$pod/binding" -f - <<JSON
{"apiVersion": "v1", "kind": "Binding", "metadata": {"name": "$pod", "namespace": "$2"},
 "target": {"apiVersion": "v1", "kind": "Node", "name": "$1"}}
JSON
  done
}

# pods_ready NAMESPACE NAME [NODE]: they run, on a node that is there.
pods_ready() {
  pods_on "${3:-worker}" "$1" "$2"
  container_status "$1" "$2" Running True "ready: true, restartCount: 0, state: {running: {startedAt: \"$(now)\"}}"
  kubectl -n "$1" wait --for=condition=Available "deployment/$2" --timeout=60s
}

# pods_running_since MINUTES NAMESPACE NAME [CONTAINER...]: they run for so long, wherever that
# is, with all of their containers.
pods_running_since() {
  local then namespace=$2 name=$3 container statuses=
  then=$(date -u -d "-$1 minutes" +%FT%TZ)
  shift 3
  for container in "${@:-manager}"; do
    statuses+="{name: $container, image: example.invalid/none, imageID: example.invalid/none,
      ready: true, restartCount: 0, state: {running: {startedAt: \"$then\"}}},"
  done
  pods_status "$namespace" "$name" "{phase: Running, startTime: \"$then\",
    conditions: [{type: Ready, status: 'True', lastTransitionTime: '$then'}], containerStatuses: [${statuses%,}]}"
}

# pods_crash NAMESPACE NAME REASON EXIT-CODE: they end as soon as they start.
pods_crash() {
  pods_on worker "$1" "$2"
  container_status "$1" "$2" Running False "ready: false, restartCount: 14,
    state: {waiting: {reason: CrashLoopBackOff, message: back-off 5m0s restarting failed container=manager}},
    lastState: {terminated: {reason: $3, exitCode: $4, startedAt: \"$(now)\", finishedAt: \"$(now)\"}}"
}

# pods_waiting NAMESPACE NAME REASON MESSAGE: their container cannot start.
pods_waiting() {
  pods_on worker "$1" "$2"
  container_status "$1" "$2" Pending False \
    "ready: false, restartCount: 0, state: {waiting: {reason: $3, message: '$4'}}"
}

# container_status NAMESPACE NAME PHASE READY FIELDS: of pods that have a node.
container_status() {
  local why=()
  if [ "$4" = False ]; then why=(ContainersNotReady "containers with unready status: [manager]"); fi
  pods_status "$1" "$2" "{phase: $3, startTime: \"$(now)\",
    conditions: [$(condition PodScheduled True), $(condition Initialized True),
      $(condition ContainersReady "$4" "${why[@]}"), $(condition Ready "$4" "${why[@]}")],
    containerStatuses: [{name: manager, image: example.invalid/none, imageID: example.invalid/none, $5}]}"
}

# pods_unscheduled NAMESPACE NAME MESSAGE: the scheduler finds no node for them.
pods_unscheduled() {
  pods_status "$1" "$2" "{conditions: [$(condition PodScheduled False Unschedulable "$3")]}"
}

# condition TYPE STATUS [REASON MESSAGE]
condition() {
  echo "{type: $1, status: '$2', reason: '${3:-}', message: '${4:-}', lastTransitionTime: '$(now)'}"
}

# now: as the API writes it.
now() { date -u +%FT%TZ; }

# lease NAMESPACE NAME HOLDER [SECONDS-AGO]: an operator's leader election.
lease() {
  kubectl apply --field-manager="${3%%_*}" -f - <<YAML
apiVersion: coordination.k8s.io/v1
kind: Lease
metadata: {name: $2, namespace: $1}
spec:
  holderIdentity: $3
  leaseDurationSeconds: 15
  leaseTransitions: 1
  renewTime: "$(date -u -d "@$(($(date +%s) - ${4:-0}))" +%FT%T.000000Z)"
YAML
}

# leading NAMESPACE NAME HOLDER: such a lease, renewed until the test ends.
leading() {
  lease "$@"
  every 5 renew "$1" "$2" "${3%%_*}" <&3 >/dev/null 2>&1 &
}

# renew NAMESPACE LEASE [MANAGER]: as of now.
renew() {
  kubectl -n "$1" patch lease "$2" --type=merge ${3:+--field-manager="$3"} \
    -p "{\"spec\":{\"renewTime\":\"$(date -u +%FT%T.000000Z)\"}}"
}

# every SECONDS COMMAND...: until stdin ends.
every() {
  local seconds=$1
  shift
  while true; do
    read -r -t "$seconds" && return
    if [ $? -le 128 ]; then return; fi
    "$@" </dev/null || true
  done
}

# event NAMESPACE TYPE NAME REASON MESSAGE [COMPONENT]: a Warning about an object.
event() {
  local version kind uid
  read -r version kind uid <<<"$(kubectl -n "$1" get "$2" "$3" -o jsonpath='{.apiVersion} {.kind} {.metadata.uid}')"
  kubectl create -f - <<YAML
apiVersion: v1
kind: Event
metadata: {generateName: "$3.", namespace: $1}
involvedObject: {apiVersion: $version, kind: $kind, namespace: $1, name: $3, uid: $uid}
type: Warning
reason: $4
message: "$5"
source: {component: ${6:-controller}}
count: 7
firstTimestamp: "$(now)"
lastTimestamp: "$(now)"
YAML
}

# object NAMESPACE KIND.VERSION.GROUP NAME [SPEC]: a custom resource that a user made.
object() {
  local kind=${2%%.*} rest=${2#*.}
  kubectl apply -f - <<YAML
apiVersion: ${rest#*.}/${rest%%.*}
kind: $kind
metadata: {name: $3, namespace: $1}
spec: ${4:-"{}"}
YAML
}

# finalizer NAMESPACE TYPE NAME FINALIZER MANAGER: put on it by its operator.
finalizer() {
  kubectl -n "$1" patch "$2" "$3" --type=merge --field-manager="$5" -p "metadata: {finalizers: ['$4']}"
}

# says NAMESPACE TYPE NAME MANAGER STATUS: what an operator thinks of it.
says() { kubectl -n "$1" patch "$2" "$3" --type=merge --field-manager="$4" -p "status: $5"; }

# Servers behind Services.

# service NAMESPACE NAME PORT [TARGET-PORT]: it selects the pods of the workload NAME.
service() {
  kubectl apply -f - <<YAML
apiVersion: v1
kind: Service
metadata: {name: $2, namespace: $1, $(helm "$1" "$2")}
spec:
  selector: {app.kubernetes.io/name: $2}
  ports: [{port: $3, targetPort: ${4:-$3}}]
YAML
}

# answering_service NAMESPACE NAME NODE: a Service with an address of its own on
# loopback, which the API server dials, and a Ready pod whose address nobody
# dials. BACKEND_PORT is its port; what listens there is the backend's mode.
# Its certificate is in CERTS, else the one that all share.
answering_service() {
  # One of its own for each: tests run side by side.
  local address=127.20.$((RANDOM % 200 + 20)).$((RANDOM % 200 + 20))
  namespace "$1"
  "$CONTROL_PLANE" backend --listen "$address:0" --mode-file "$PLANE/backend-mode" \
    --cert-dir "${CERTS:-$PLANE/certs}" <&3 >"$PLANE/backend-$2" 2>&1 &
  wait_for 10 "the backend listens" grep -q ready "$PLANE/backend-$2"
  BACKEND_PORT=$(sed 's/.*://' "$PLANE/backend-$2")
  pod "$1" "$2-0" "$3" 5
  kubectl -n "$1" patch pod "$2-0" --subresource=status --type=merge -p \
    "status: {phase: Running, podIP: 192.0.2.7, podIPs: [{ip: 192.0.2.7}], conditions: [$(condition Ready True)]}"
  kubectl apply -f - <<YAML
apiVersion: v1
kind: Service
metadata: {name: $2, namespace: $1}
spec: {clusterIP: $address, ports: [{port: $BACKEND_PORT, targetPort: 6443}]}
---
apiVersion: discovery.k8s.io/v1
kind: EndpointSlice
metadata: {name: $2-1, namespace: $1, labels: {kubernetes.io/service-name: $2}}
addressType: IPv4
ports: [{port: 6443}]
endpoints:
- {addresses: [192.0.2.7], conditions: {ready: true}, nodeName: $3, targetRef: {kind: Pod, namespace: $1, name: $2-0}}
---
# What API servers before 1.34 look at. No second slice is made of it.
apiVersion: v1
kind: Endpoints
metadata: {name: $2, namespace: $1, labels: {endpointslice.kubernetes.io/skip-mirror: "true"}}
subsets: [{addresses: [{ip: 192.0.2.7, nodeName: $3}], ports: [{port: 6443}]}]
YAML
}

# certified NAMESPACE SERVICE: a certificate for the name of a Service, in CERTS.
certified() {
  CERTS="$PLANE/certs-$2"
  mkdir -p "$CERTS"
  openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj "/CN=$2" \
    -addext "subjectAltName=DNS:$2.$1.svc" -keyout "$CERTS/server.key" -out "$CERTS/server.crt"
}

# guarded NAMESPACE SERVICE GROUP RESOURCE: a fail-closed webhook behind that Service, called when such
# an object is changed or deleted.
guarded() {
  kubectl apply -f - <<YAML
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: $2}
webhooks:
- name: guard.$3
  admissionReviewVersions: [v1]
  sideEffects: None
  failurePolicy: Fail
  clientConfig:
    service: {namespace: $1, name: $2, path: /validate, port: $BACKEND_PORT}
    caBundle: $(base64 -w0 "${CERTS:-$PLANE/certs}/server.crt")
  rules: [{apiGroups: ["$3"], apiVersions: ["*"], operations: [UPDATE, DELETE], resources: [$4]}]
YAML
}

# versions PLURAL GROUP KIND STORED CONVERSION [VERSION...]: a kind in these versions,
# the stored one first; `dead_conversion` and `no_conversion` are conversions.
versions() {
  local plural=$1 group=$2 kind=$3 stored=$4 conversion=$5 version served=
  shift 5
  for version in "$stored" "$@"; do
    served+="{name: $version, served: true, storage: $([ "$version" = "$stored" ] && echo true || echo false),
      schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}},"
  done
  kubectl apply -f - <<YAML
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: $plural.$group}
spec:
  group: $group
  names: {plural: $plural, singular: ${kind,,}, kind: $kind}
  scope: Namespaced
  conversion: $conversion
  versions: [$served]
YAML
  kubectl wait --for=condition=Established "crd/$plural.$group" --timeout=60s
}

no_conversion='{strategy: None}'

# dead_conversion NAMESPACE SERVICE: by a webhook whose Service does not exist.
dead_conversion() {
  echo "{strategy: Webhook, webhook: {conversionReviewVersions: [v1], clientConfig: {service: {namespace: $1, name: $2}}}}"
}

# unlistable PATH: until a list fails for everybody. A server that has other things to
# do besides may take seconds for a list that does not fail.
unlistable() {
  fails() { ! kubectl get --raw "$1" --request-timeout=10s; }
  wait_for 60 "$1 cannot be listed" fails "$1"
}

# agents NAMESPACE NAME RESOURCE.GROUP [TEMPLATE-FIELDS]: a DaemonSet that may work on this kind,
# as Helm installs it.
agents() {
  service_account "$1" "$2"
  rights "$1-$2" "$3"
  kubectl create clusterrolebinding "$1-$2" --clusterrole="$1-$2" --serviceaccount="$1:$2"
  kubectl apply -f - <<YAML
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: $2, namespace: $1, $(helm "$1" "$2")}
spec:
  selector: {matchLabels: {app.kubernetes.io/name: $2}}
  template:
    metadata: {labels: {app.kubernetes.io/name: $2, app.kubernetes.io/instance: $2}}
    spec:
      serviceAccountName: $2
      automountServiceAccountToken: false
      containers: [{name: agent, image: "example.invalid/$2"}]
      ${4:-}
YAML
}

# agents_ready NAMESPACE NAME COUNT: so many pods of a DaemonSet run, each on its own node.
agents_ready() {
  local pod node
  some_agents() { test "$(kubectl -n "$1" get pods -l "app.kubernetes.io/name=$2" -o name | wc -l)" = "$3"; }
  wait_for 30 "pods of $1/$2" some_agents "$1" "$2" "$3"
  for pod in $(pods_of "$1" "$2"); do
    node=$(kubectl -n "$1" get pod "$pod" -o jsonpath='{.spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchFields[0].values[0]}')
    kubectl create --raw "/api/v1/namespaces/$1/pods/$pod/binding" -f - <<JSON
{"apiVersion": "v1", "kind": "Binding", "metadata": {"name": "$pod", "namespace": "$1"},
 "target": {"apiVersion": "v1", "kind": "Node", "name": "$node"}}
JSON
  done
  container_status "$1" "$2" Running True "ready: true, restartCount: 0, state: {running: {startedAt: \"$(now)\"}}"
}

# told NAMESPACE NAME REPLICAS PATCH [RESOURCE.GROUP...]: an operator whose container has these
# fields, too.
told() {
  local namespace=$1 name=$2 replicas=$3 fields=$4
  shift 4
  operator "$namespace" "$name" 0 "$@"
  kubectl -n "$namespace" patch deployment "$name" --type=strategic -p \
    "spec: {replicas: $replicas, template: {spec: {containers: [{name: manager, $fields}]}}}"
}
