# Functions for the scenarios. Sourced before every make.sh. kubectl talks to the disposable control
# plane of the scenario. PLANE is its directory, CONTROL_PLANE its program, and ETCD_ENDPOINT its
# etcd. File descriptor 3 is closed when the test ends, and background processes exit with it.

# A run of kubectl is short, and its garbage collection would take a quarter of its CPU time.
kubectl() { GOGC=off GOMAXPROCS=1 command kubectl "$@"; }

# wait_for SECONDS "what" COMMAND... waits until the command succeeds, for at most three times
# SECONDS, because the machine may be busy.
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

# twin_of SCENARIO makes what the scenario of this name beside the caller makes. Variables that are set before it
# say what differs.
twin_of() { . "$(dirname "${BASH_SOURCE[1]}")/../$1/make.sh"; }

# gone TYPE NAME [-n NAMESPACE] checks that an object does not exist.
gone() { test -z "$(kubectl get "$@" --ignore-not-found -o name)"; }

# is VALUE JSONPATH TYPE NAME [-n NAMESPACE] checks that a field has this value.
is() {
  local value=$1 path=$2
  shift 2
  test "$(kubectl get "$@" -o jsonpath="$path")" = "$value"
}

# crd PLURAL GROUP KIND [Cluster|Namespaced [VERSION]] creates a kind without a controller. For a
# group of Kubernetes the API server requires an approval annotation.
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

# delete_namespace NAME... deletes namespaces and waits until each is late: its controller has
# processed it, and what it deleted should be gone.
delete_namespace() {
  kubectl delete namespace "$@" --wait=false
  local name
  for name in "$@"; do looked "$name"; done
  late
}

# settled NODE... marks nodes as Ready for days.
settled() {
  local name
  for name in "$@"; do
    kubectl patch node "$name" --subresource=status --type=strategic -p "{\"status\":{\"conditions\":[{
      \"type\":\"Ready\",\"lastTransitionTime\":\"$(date -u -d '-9 days' +%FT%TZ)\"}]}}"
  done
}

# looked NAMESPACE waits until the namespace controller has written conditions.
looked() {
  kubectl wait --for=jsonpath='{.status.conditions[0].type}' "namespace/$1" --timeout=180s
}

# late waits until an object that was just deleted counts as late.
late() { sleep 6; }

# aged MINUTES KEY TYPE NAME [-n NAMESPACE] moves all times of an object back, including its
# deletion but not its creation. KEY is its key in etcd.
aged() { set_back /creationTimestamp/! deletionTimestamp "$@"; }

# born MINUTES KEY TYPE NAME [-n NAMESPACE] moves only the creation of an object back.
born() { set_back /creationTimestamp/ creationTimestamp "$@"; }

# old MINUTES KEY TYPE NAME [-n NAMESPACE] moves all times of an object back, including its
# creation.
old() { set_back "" creationTimestamp "$@"; }

# old_kind PLURAL.GROUP makes a definition three months old.
old_kind() { old 129600 "/registry/apiextensions.k8s.io/customresourcedefinitions/$1" crd "$1"; }

# set_back WHICH FIELD MINUTES KEY TYPE NAME [-n NAMESPACE] changes the times on the lines that the
# sed address WHICH selects. FIELD is one of them. The API server also reads JSON from etcd
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

# node NAME Ready|NotReady|Fading creates a Node without a kubelet. The lease of a Ready node is
# renewed until the test ends. The lease of a Fading node is renewed only once.
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

# heartbeat NODE renews the lease of a node, as a kubelet does every 10 seconds.
heartbeat() {
  kubectl apply -f - <<YAML
apiVersion: coordination.k8s.io/v1
kind: Lease
metadata: {name: $1, namespace: kube-node-lease}
spec: {holderIdentity: $1, leaseDurationSeconds: 40, renewTime: "$(date -u +%FT%T.000000Z)"}
YAML
}

# kubelet starts a stand-in for a kubelet that serves logs, at KUBELET_PORT on loopback.
kubelet() {
  "$CONTROL_PLANE" kubelet --dir "$PLANE/pod-logs" --cert-dir "$PLANE/certs" --mode-file "$PLANE/kubelet-mode" \
    <&3 >"$PLANE/kubelet" 2>&1 &
  wait_for 10 "the kubelet's stand-in listens" grep -q ready "$PLANE/kubelet"
  KUBELET_PORT=$(sed 's/.*://' "$PLANE/kubelet")
}

# kubelet_mode ok|hang|error|forbidden sets how the stand-in answers.
kubelet_mode() { echo "$1" >"$PLANE/kubelet-mode"; }

# node_with_kubelet NAME creates a Ready node whose kubelet is the stand-in.
node_with_kubelet() {
  node "$1" Ready
  kubectl patch node "$1" --subresource=status --type=merge -p "{\"status\":{
    \"addresses\":[{\"type\":\"InternalIP\",\"address\":\"127.0.0.1\"}],
    \"daemonEndpoints\":{\"kubeletEndpoint\":{\"Port\":$KUBELET_PORT}}}}"
}

# log NAMESPACE POD CONTAINER TEXT adds a line to the log of a container. The log of its previous
# run is CONTAINER.previous.
log() {
  mkdir -p "$PLANE/pod-logs/$1/$2"
  echo "$(date -u +%FT%T.%NZ) stdout F $4" >>"$PLANE/pod-logs/$1/$2/$3.log"
}

# pod NAMESPACE NAME NODE GRACE [FINALIZER] creates a pod on a node without a kubelet.
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

# phase NAMESPACE POD PHASE sets the phase of a pod, as its kubelet does.
phase() {
  kubectl -n "$1" patch pod "$2" --subresource=status --type=merge -p "{\"status\":{\"phase\":\"$3\"}}"
}

# api_service VERSION GROUP NAMESPACE SERVICE [PORT] registers an aggregated API.
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

# available True|False APISERVICE waits until an API has this availability. An API that is
# unavailable must also be late, because it may still be starting.
available() {
  kubectl wait --for=condition=Available="$1" "apiservice/$2" --timeout=180s
  [ "$1" = True ] || late
}

# backend MODE starts an aggregated API server at BACKEND_PORT on loopback.
backend() {
  backend_mode "$1"
  "$CONTROL_PLANE" backend --mode-file "$PLANE/backend-mode" --cert-dir "$PLANE/certs" \
    <&3 >"$PLANE/backend" 2>&1 &
  wait_for 10 "the backend listens" grep -q ready "$PLANE/backend"
  BACKEND_PORT=$(sed 's/.*://' "$PLANE/backend")
}

# backend_mode MODE sets how the backend answers.
backend_mode() { echo "$1" >"$PLANE/backend-mode"; }

# backend_service NAMESPACE NAME creates the Service by which the API server finds the backend.
backend_service() {
  kubectl apply -f - <<YAML
apiVersion: v1
kind: Service
metadata: {name: $2, namespace: $1}
spec: {type: ExternalName, externalName: 127.0.0.1, ports: [{port: $BACKEND_PORT}]}
YAML
}

# dead_webhook NAME OPERATION GROUP RESOURCE [NAMESPACE-SELECTOR] creates a fail-closed webhook
# whose Service does not exist.
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
  # The API server takes a moment to notice the webhook.
  sleep 2
}

# live_webhook Validating|Mutating NAME MODE OPERATIONS GROUP RESOURCE [FIELDS] creates a webhook
# that the backend answers in this mode. The backend must run.
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

# force_finalize NAMESPACE finalizes a namespace by force, as many recipes recommend. The namespace
# is removed, and its content stays and can no longer be updated. The namespace controller begins to
# empty a namespace after five seconds, so everything that can be prepared is done before the
# deletion.
force_finalize() {
  kubectl get namespace "$1" -o json | sed -e 's/"kubernetes"//' -e '/"resourceVersion"/d' >"$PLANE/finalize.json"
  kubectl delete namespace "$1" --wait=false
  kubectl replace --raw "/api/v1/namespaces/$1/finalize" -f "$PLANE/finalize.json"
  wait_for 10 "namespace $1 is gone" gone namespace "$1"
}

# furnished NAMESPACE waits until a namespace contains the objects that Kubernetes creates in every
# namespace.
furnished() {
  wait_for 20 "the root certificates in $1" kubectl -n "$1" get configmap kube-root-ca.crt
  wait_for 20 "the default account in $1" kubectl -n "$1" get serviceaccount default
}

# names_owner NAMESPACE NAME API-VERSION KIND OWNER UID creates a ConfigMap whose owner may not
# exist.
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

# owned NAMESPACE NAME [FINALIZERS] [REFERENCE...] creates a ConfigMap with owner references, as
# `owner` prints them.
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

# owner TYPE NAME [NAMESPACE] [BLOCKS] prints an owner reference to an existing object.
owner() {
  kubectl get "$1" "$2" ${3:+-n "$3"} \
    -o jsonpath="{'{'}apiVersion: {.apiVersion}, kind: {.kind}, name: {.metadata.name}, uid: {.metadata.uid}, blockOwnerDeletion: ${4:-true}{'}'}"
}

# seen waits until the garbage collector has seen the objects that were just created.
seen() { sleep 3; }

# watched NAMESPACE KIND.VERSION.GROUP waits until the garbage collector watches a kind and so the
# objects that were just created. It looks for new kinds every half minute. Before that an owner
# that is deleted in the foreground does not wait for a dependent of that kind. To find out, the
# function creates an object whose owner never existed and waits until it is deleted.
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

# foreground TYPE NAME... [-n NAMESPACE] deletes objects in the foreground.
foreground() { kubectl delete "$@" --cascade=foreground --wait=false; }

# alone fails on a control plane that other tests reuse.
alone() {
  [ -n "$ALONE" ] || { echo "say in scenario.yaml why it is alone" >&2; return 1; }
}

# manager SIGNAL sends a signal to the controller manager of this control plane.
manager() {
  alone
  kill -s "$1" "$(sed -n 's/.*"kube-controller-manager": *\([0-9]*\).*/\1/p' "$PLANE/pids")"
}

# Operators: what a chart installs, and the status that a kubelet reports for its pods.

# namespace NAME creates a namespace unless it exists.
namespace() { kubectl get namespace "$1" >/dev/null 2>&1 || kubectl create namespace "$1"; }

# operator NAMESPACE NAME REPLICAS [RESOURCE.GROUP...] creates a Deployment that may write these
# kinds in all namespaces, as Helm installs it.
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

# works MINUTES NAMESPACE NAME [RESOURCE.GROUP...] creates an operator that has been running for
# this time on node worker.
works() {
  local minutes=$1 namespace=$2 name=$3
  shift 3
  operator "$namespace" "$name" 1 "$@"
  pods_on worker "$namespace" "$name"
  pods_running_since "$minutes" "$namespace" "$name"
}

# leads NAMESPACE NAME LEASE REPLICAS [RESOURCE.GROUP...] creates an operator that has been running
# for ten hours and leads, or one at 0 replicas.
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

# drained NODE OPERATOR FINALIZER TAINT creates a node that its operator, which runs on node worker,
# drains for good when the node is deleted.
drained() {
  operator "$2" "$2" 1 nodes.
  node worker Ready
  node "$1" Ready
  kubectl patch node "$1" --type=merge --field-manager="$2" \
    -p "{\"metadata\":{\"finalizers\":[\"$3\"]},\"spec\":{\"taints\":[{\"key\":\"$4\",\"effect\":\"NoSchedule\"}]}}"
  pods_ready "$2" "$2"
}

# service_account NAMESPACE NAME creates an account, and its namespace if needed.
service_account() {
  namespace "$1"
  kubectl apply -f - <<YAML
apiVersion: v1
kind: ServiceAccount
metadata: {name: $2, namespace: $1, $(helm "$1" "$2")}
YAML
}

# rights NAME RESOURCE.GROUP... creates a ClusterRole that may write these kinds.
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

# deployment NAMESPACE NAME REPLICAS [CONTAINERS] creates a Deployment that uses the ServiceAccount of the
# same name.
deployment() {
  local manager="{name: manager, image: \"example.invalid/$2\"}"
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
      containers: [${4:-$manager}]
YAML
}

# helm NAMESPACE RELEASE prints the labels and annotations of a Helm release, for metadata.
helm() {
  echo "labels: {app.kubernetes.io/name: $2, app.kubernetes.io/instance: $2, app.kubernetes.io/managed-by: Helm}," \
    "annotations: {meta.helm.sh/release-name: $2, meta.helm.sh/release-namespace: $1}"
}

# released_by NAMESPACE RELEASE TYPE NAME adds these labels and annotations to an object.
released_by() { kubectl patch "$3" "$4" --type=merge -p "metadata: {$(helm "$1" "$2")}"; }

# pods_of NAMESPACE NAME waits for the pods of a workload and prints their names.
pods_of() {
  some_pods() { test -n "$(kubectl -n "$1" get pods -l "app.kubernetes.io/name=$2" -o name)"; }
  wait_for 30 "pods of $1/$2" some_pods "$1" "$2"
  kubectl -n "$1" get pods -l "app.kubernetes.io/name=$2" -o jsonpath='{.items[*].metadata.name}'
}

# pods_status NAMESPACE NAME STATUS patches the status of the pods of a workload, as a kubelet or
# the scheduler does.
pods_status() {
  local pod
  for pod in $(pods_of "$1" "$2"); do
    kubectl -n "$1" patch pod "$pod" --subresource=status --type=merge -p "status: $3"
  done
}

# pods_on NODE NAMESPACE NAME binds the pods of a workload to a node, as the scheduler does.
pods_on() {
  local pod
  for pod in $(pods_of "$2" "$3"); do
    kubectl create --raw "/api/v1/namespaces/$2/pods/$pod/binding" -f - <<JSON
{"apiVersion": "v1", "kind": "Binding", "metadata": {"name": "$pod", "namespace": "$2"},
 "target": {"apiVersion": "v1", "kind": "Node", "name": "$1"}}
JSON
  done
}

# pods_ready NAMESPACE NAME [NODE] makes the pods of a Deployment run and be Ready on a node.
pods_ready() {
  pods_on "${3:-worker}" "$1" "$2"
  container_status "$1" "$2" Running True "ready: true, restartCount: 0, state: {running: {startedAt: \"$(now)\"}}"
  kubectl -n "$1" wait --for=condition=Available "deployment/$2" --timeout=60s
}

# pods_running_since MINUTES NAMESPACE NAME [CONTAINER...] makes the pods of a workload run for this
# time with all their containers, whether they have a node or not.
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

# pods_crash NAMESPACE NAME REASON EXIT-CODE makes the containers of a workload crash as soon as
# they start.
pods_crash() {
  pods_on worker "$1" "$2"
  container_status "$1" "$2" Running False "ready: false, restartCount: 14,
    state: {waiting: {reason: CrashLoopBackOff, message: back-off 5m0s restarting failed container=manager}},
    lastState: {terminated: {reason: $3, exitCode: $4, startedAt: \"$(now)\", finishedAt: \"$(now)\"}}"
}

# pods_waiting NAMESPACE NAME REASON MESSAGE makes the containers of a workload unable to start.
pods_waiting() {
  pods_on worker "$1" "$2"
  container_status "$1" "$2" Pending False \
    "ready: false, restartCount: 0, state: {waiting: {reason: $3, message: '$4'}}"
}

# container_status NAMESPACE NAME PHASE READY FIELDS sets the container status of pods that have a
# node.
container_status() {
  local why=()
  if [ "$4" = False ]; then why=(ContainersNotReady "containers with unready status: [manager]"); fi
  pods_status "$1" "$2" "{phase: $3, startTime: \"$(now)\",
    conditions: [$(condition PodScheduled True), $(condition Initialized True),
      $(condition ContainersReady "$4" "${why[@]}"), $(condition Ready "$4" "${why[@]}")],
    containerStatuses: [{name: manager, image: example.invalid/none, imageID: example.invalid/none, $5}]}"
}

# pods_unscheduled NAMESPACE NAME MESSAGE marks the pods of a workload as unschedulable.
pods_unscheduled() {
  pods_status "$1" "$2" "{conditions: [$(condition PodScheduled False Unschedulable "$3")]}"
}

# condition TYPE STATUS [REASON MESSAGE] prints a condition.
condition() {
  echo "{type: $1, status: '$2', reason: '${3:-}', message: '${4:-}', lastTransitionTime: '$(now)'}"
}

# now prints the current time in the format of the API.
now() { date -u +%FT%TZ; }

# lease NAMESPACE NAME HOLDER [SECONDS-AGO] creates the lease of an operator's leader election.
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

# leading NAMESPACE NAME HOLDER creates such a lease and renews it until the test ends.
leading() {
  lease "$@"
  every 5 renew "$1" "$2" "${3%%_*}" <&3 >/dev/null 2>&1 &
}

# renew NAMESPACE LEASE [MANAGER] renews a lease.
renew() {
  kubectl -n "$1" patch lease "$2" --type=merge ${3:+--field-manager="$3"} \
    -p "{\"spec\":{\"renewTime\":\"$(date -u +%FT%T.000000Z)\"}}"
}

# every SECONDS COMMAND... runs a command again and again until stdin is closed.
every() {
  local seconds=$1
  shift
  while true; do
    read -r -t "$seconds" && return
    if [ $? -le 128 ]; then return; fi
    "$@" </dev/null || true
  done
}

# event NAMESPACE TYPE NAME REASON MESSAGE [COMPONENT] creates a Warning event for an object.
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

# object NAMESPACE KIND.VERSION.GROUP NAME [SPEC] creates a custom resource, as a user does.
object() {
  local kind=${2%%.*} rest=${2#*.}
  kubectl apply -f - <<YAML
apiVersion: ${rest#*.}/${rest%%.*}
kind: $kind
metadata: {name: $3, namespace: $1}
spec: ${4:-"{}"}
YAML
}

# finalizer NAMESPACE TYPE NAME FINALIZER MANAGER sets the finalizer of an object, as its operator
# does.
finalizer() {
  kubectl -n "$1" patch "$2" "$3" --type=merge --field-manager="$5" -p "metadata: {finalizers: ['$4']}"
}

# says NAMESPACE TYPE NAME MANAGER STATUS patches the status of an object, as its operator does.
says() { kubectl -n "$1" patch "$2" "$3" --type=merge --field-manager="$4" -p "status: $5"; }

# Servers behind Services.

# service NAMESPACE NAME PORT [TARGET-PORT] creates a Service that selects the pods of the workload
# NAME.
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

# answering_service NAMESPACE NAME NODE creates a Service with its own loopback address, which the
# API server connects to, and a Ready pod whose address is not used. BACKEND_PORT is its port. The
# backend's mode sets how it answers. Its certificate is in CERTS, or else the shared one.
answering_service() {
  # Each Service has its own address, because tests run in parallel.
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

# certified NAMESPACE SERVICE creates a certificate for the DNS name of a Service, in CERTS.
certified() {
  CERTS="$PLANE/certs-$2"
  mkdir -p "$CERTS"
  openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj "/CN=$2" \
    -addext "subjectAltName=DNS:$2.$1.svc" -keyout "$CERTS/server.key" -out "$CERTS/server.crt"
}

# guarded NAMESPACE SERVICE GROUP RESOURCE creates a fail-closed webhook behind that Service, which
# is called when such an object is updated or deleted.
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

# versions PLURAL GROUP KIND STORED CONVERSION [VERSION...] creates a kind with these versions. The
# first one is the stored version. CONVERSION is from `dead_conversion` or `no_conversion`.
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

# dead_conversion NAMESPACE SERVICE prints a conversion by a webhook whose Service does not exist.
dead_conversion() {
  echo "{strategy: Webhook, webhook: {conversionReviewVersions: [v1], clientConfig: {service: {namespace: $1, name: $2}}}}"
}

# unlistable PATH waits until a list fails for every client. On a busy server a list that succeeds
# may take seconds.
unlistable() {
  fails() { ! kubectl get --raw "$1" --request-timeout=10s; }
  wait_for 60 "$1 cannot be listed" fails "$1"
}

# agents NAMESPACE NAME RESOURCE.GROUP [TEMPLATE-FIELDS] creates a DaemonSet that may write this
# kind, as Helm installs it.
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

# agents_ready NAMESPACE NAME COUNT waits for this many pods of a DaemonSet and makes each run on
# its own node.
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

# told NAMESPACE NAME REPLICAS PATCH [RESOURCE.GROUP...] creates an operator with these fields added
# to its container.
told() {
  local namespace=$1 name=$2 replicas=$3 fields=$4
  shift 4
  operator "$namespace" "$name" 0 "$@"
  kubectl -n "$namespace" patch deployment "$name" --type=strategic -p \
    "spec: {replicas: $replicas, template: {spec: {containers: [{name: manager, $fields}]}}}"
}

# Storage: what drivers and their sidecars write.

# csi_driver NAME creates a CSI driver that attaches volumes.
csi_driver() {
  kubectl apply -f - <<YAML
apiVersion: storage.k8s.io/v1
kind: CSIDriver
metadata: {name: $1}
spec: {attachRequired: true}
YAML
}

# csi_node NODE [DRIVER] creates the CSINode of a node with this driver or none, as its kubelet does.
csi_node() {
  local drivers=
  [ -z "${2:-}" ] || drivers="{name: $2, nodeID: $1}"
  kubectl apply -f - <<YAML
apiVersion: storage.k8s.io/v1
kind: CSINode
metadata: {name: $1}
spec: {drivers: [$drivers]}
YAML
}

# csi_volume NAME DRIVER HANDLE creates a volume of a driver, which stays when its claim is deleted.
csi_volume() {
  kubectl apply -f - <<YAML
apiVersion: v1
kind: PersistentVolume
metadata: {name: $1}
spec:
  capacity: {storage: 1Gi}
  accessModes: [ReadWriteOnce]
  persistentVolumeReclaimPolicy: Retain
  storageClassName: none
  csi: {driver: $2, volumeHandle: $3}
YAML
}

# attachment NAME DRIVER VOLUME NODE attaches a volume to a node, as the sidecar of the driver does.
attachment() {
  kubectl apply -f - <<YAML
apiVersion: storage.k8s.io/v1
kind: VolumeAttachment
metadata: {name: $1}
spec: {attacher: $2, nodeName: $4, source: {persistentVolumeName: $3}}
YAML
  kubectl patch volumeattachment "$1" --type=merge --field-manager=csi-attacher \
    -p "metadata: {finalizers: [external-attacher/${2//./-}]}"
  kubectl patch volumeattachment "$1" --subresource=status --type=merge --field-manager=csi-attacher \
    -p "status: {attached: true}"
}

# mounts NAMESPACE POD NODE GRACE VOLUME creates a pod on a node without a kubelet and claim data, by which the pod
# mounts the volume.
mounts() {
  kubectl -n "$1" apply -f - <<YAML
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: data}
spec:
  accessModes: [ReadWriteOnce]
  storageClassName: none
  volumeName: $5
  resources: {requests: {storage: 1Gi}}
---
apiVersion: v1
kind: Pod
metadata: {name: $2}
spec:
  nodeName: $3
  automountServiceAccountToken: false
  terminationGracePeriodSeconds: $4
  containers: [{name: c, image: example.invalid/none}]
  volumes: [{name: data, persistentVolumeClaim: {claimName: data}}]
YAML
}

# container_killed NAMESPACE POD ends the container of a pod, as its kubelet reports it.
container_killed() {
  kubectl -n "$1" patch pod "$2" --subresource=status --type=merge -p "status: {phase: Failed, containerStatuses: [
    {name: c, ready: false, restartCount: 0, image: none, imageID: none,
     state: {terminated: {exitCode: 137, finishedAt: \"$(now)\"}}}]}"
}

# Logs: what controllers write, among much that is about other objects.

# logging NAMESPACE NAME [RESOURCE.GROUP...] creates an operator that has been running and leading for
# ten hours, on a node whose kubelet serves its log.
logging() {
  served_by worker
  leads "$1" "$2" "$2-leader" 1 "${@:3}"
}

# served_by NODE creates a settled node with a kubelet that serves logs.
served_by() {
  [ -n "${KUBELET_PORT:-}" ] || kubelet
  gone node "$1" || return 0
  node_with_kubelet "$1"
  settled "$1"
}

# hung MINUTES NAMESPACE KIND.VERSION.GROUP PLURAL NAME FINALIZER MANAGER [SPEC] creates an object with a
# finalizer that was deleted this long ago. An object of the whole cluster has an empty NAMESPACE.
hung() {
  [ -z "$2" ] || namespace "$2"
  object "$2" "$3" "$5" "${8:-}"
  finalizer "$2" "$4" "$5" "$6" "$7"
  deleted "$1" "$4.${3#*.*.}" "$5" "$2"
}

# deleted MINUTES PLURAL.GROUP NAME [NAMESPACE] deletes a custom resource, as if that was this long ago.
deleted() {
  kubectl delete "$2" "$3" ${4:+-n "$4"} --wait=false
  aged "$1" "/registry/${2#*.}/${2%%.*}/${4:+$4/}$3" "$2" "$3" ${4:+-n "$4"}
}

# logged NAMESPACE POD CONTAINER [NAMESAKE] adds the record on stdin to the log of a container, TRIES times
# (3), as a controller writes that backs off: for the first time AGO seconds ago (290). Around it are NOISE lines
# (600) of the last eight minutes, in the same format: other objects, those called NAMESAKE elsewhere,
# leader election, metrics. In the record, @iso, @klog, @log4j and @std stand for the time in these formats.
# Without a record there is only noise, in FORMAT (json).
logged() {
  local dir="$PLANE/pod-logs/$1/$2" record format=${FORMAT:-json} lines=${NOISE:-600} tries=${TRIES:-3}
  local ends=$((EPOCHSECONDS * 1000)) line i
  local begins=$((ends - 480000)) next=$((ends - ${AGO:-290} * 1000)) pause=20000
  record=$(cat)
  case $record in
  "") ;;
  '{'*) format=json ;;
  [EWI]@klog*) format=klog ;;
  time=* | level=* | ts=*) format=logfmt ;;
  @iso$'\t'*) format=console ;;
  @std*) format=std ;;
  *) format=log4j ;;
  esac
  mkdir -p "$dir"
  for ((i = 0; i < lines; i++)); do
    while ((tries > 0 && begins + i * (480000 / lines) >= next)); do
      written "$next" "$record"
      next=$((next + pause))
      pause=$((pause * 2))
      tries=$((tries - 1))
    done
    written $((begins + i * (480000 / lines))) "$(noise "$format" "$i" "${4:-orders}")"
  done >>"$dir/$3.log"
}

# written MILLISECONDS RECORD prints the lines of a record as a container runtime writes them at this time.
written() {
  [ -n "$2" ] || return 0
  local -x TZ=UTC
  local line second=$(($1 / 1000)) part iso klog log4j std
  printf -v part '%03d' $(($1 % 1000))
  printf -v iso '%(%FT%T)T' "$second"
  printf -v klog '%(%m%d %T)T' "$second"
  printf -v log4j '%(%F %T)T' "$second"
  printf -v std '%(%Y/%m/%d %T)T' "$second"
  while IFS= read -r line; do
    line=${line//@iso/$iso.${part}Z}
    line=${line//@klog/$klog.${part}117}
    line=${line//@log4j/$log4j}
    printf '%s\n' "$iso.${part}000000Z stderr F ${line//@std/$std}"
  done <<<"$2"
}

# noise json|klog|logfmt|console|std|log4j NUMBER NAMESAKE prints a line that is about something else.
noise() {
  local of=carts-$2 place=warehouse text level=info error=
  case $(($2 % 12)) in
  0) of=$3 text="Reconciler error" level=error error="the bucket of $3 is not empty" ;;
  1) text="renewed the lease" of=leader place=ops ;;
  2) text="GET /metrics 200" of=metrics place=monitoring ;;
  3) text="Reconciler error" level=error error="the object has been modified; please apply your changes to the latest version and try again" ;;
  4) of=$3 place=staging text="reconciled successfully" ;;
  5) text="Reconciler error" level=error error="context deadline exceeded" ;;
  *) text="reconciling" ;;
  esac
  case $1 in
  json) echo "{\"level\":\"$level\",\"ts\":\"@iso\",\"msg\":\"$text\",\"namespace\":\"$place\",\"name\":\"$of\"${error:+,\"error\":\"$error\"}}" ;;
  klog) [ $level = info ] && echo "I@klog       1 controller.go:115] \"$text\" key=\"$place/$of\"" ||
    echo "E@klog       1 controller.go:167] \"$text\" err=\"$error\" key=\"$place/$of\"" ;;
  logfmt) echo "time=\"@iso\" level=$level msg=\"$text\" key=$place/$of${error:+ error=\"$error\"}" ;;
  console) printf '%s\t' @iso "${level^^}" controllers "$text" && echo "{\"namespace\": \"$place\", \"name\": \"$of\"${error:+, \"error\": \"$error\"}}" ;;
  std) echo "@std $place/$of: $text${error:+: $error}" ;;
  log4j) printf '@log4j %-5s [main] %s/%s: %s%s\n' "${level^^}" "$place" "$of" "$text" "${error:+: $error}" ;;
  esac
}
