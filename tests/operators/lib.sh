# Sourced before the lines of every state, after tests/scenarios/lib.sh: words for real operators.

# apply_as_installer FILE|DIR...: with the field manager of an installer.
apply_as_installer() {
  local what
  for what in "$@"; do kubectl apply --server-side --force-conflicts --field-manager=helm -f "$what"; done
}

# kustomized FOLDER PART: what a kustomization of a module makes. A module's folder cannot be
# written to, and what a kustomization names must lie below one folder: it is copied.
kustomized() {
  rm -rf "$PLANE/kustomize" && cp -r "$1" "$PLANE/kustomize" && chmod -R u+w "$PLANE/kustomize"
  kubectl kustomize "$PLANE/kustomize/$2"
}

# up NAMESPACE DEPLOYMENT: until its pods are ready.
up() { wait_for 90 "$1/$2 is ready" is_up "$1" "$2"; }
is_up() {
  local wanted
  wanted=$(kubectl -n "$1" get deployment "$2" -o jsonpath='{.spec.replicas}')
  is "$wanted" '{.status.readyReplicas}' deployment "$2" -n "$1"
}

# stop NAMESPACE DEPLOYMENT: to 0, and wait until no pod is left.
stop() {
  kubectl -n "$1" scale deployment "$2" --replicas=0
  wait_for 60 "$1/$2 has ended" no_pods "$1" "$2"
}
no_pods() {
  is "" '{.status.replicas}' deployment "$2" -n "$1" &&
    test -z "$(kubectl -n "$1" get pods -l "$(selector "$1" "$2")" -o name)"
}
selector() {
  kubectl -n "$1" get deployment "$2" -o go-template='{{range $k, $v := .spec.selector.matchLabels}}{{$k}}={{$v}},{{end}}' | sed 's/,$//'
}

# crash NAMESPACE DEPLOYMENT: its container gets a flag that its program does not know, and the
# old pod is gone.
crash() {
  kubectl -n "$1" patch deployment "$2" --type=json -p '[
    {"op": "add", "path": "/spec/strategy", "value": {"type": "Recreate"}},
    {"op": "add", "path": "/spec/template/spec/containers/0/args/-", "value": "--no-such-flag"}]'
  wait_for 90 "$1/$2 crashes" crashes "$1" "$2"
}
crashes() {
  [[ $(kubectl -n "$1" get pods -l "$(selector "$1" "$2")" \
    -o jsonpath='{.items[*].status.containerStatuses[*].state.waiting.reason}') == CrashLoopBackOff ]]
}
# mend NAMESPACE DEPLOYMENT: takes the flag away again.
mend() { kubectl -n "$1" rollout undo deployment "$2"; }

# of_old KEY NAMESPACE TYPE NAME MINUTES: everything of it happened so long ago, its creation, too.
of_old() {
  local key=$1 object then
  then=$(date -u -d "-$5 minutes" +%FT%TZ)
  object=$(kubectl ${2:+-n "$2"} get "$3" "$4" -o json --show-managed-fields)
  object=$(sed -E "s/\"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]+Z\"/\"$then\"/g; /\"resourceVersion\"/d" <<<"$object")
  "$CONTROL_PLANE" etcd-put "$key" "$object" --endpoint "$ETCD_ENDPOINT"
  wait_for 20 "$3 $4 is old" is "$then" '{.metadata.creationTimestamp}' "$3" "$4" ${2:+-n "$2"}
}

# pods_of_old NAMESPACE DEPLOYMENT MINUTES: it and its pods have run for so long.
pods_of_old() {
  local pod
  of_old "/registry/deployments/$1/$2" "$1" deployment "$2" "$3"
  for pod in $(kubectl -n "$1" get pods -l "$(selector "$1" "$2")" -o jsonpath='{.items[*].metadata.name}'); do
    of_old "/registry/pods/$1/$pod" "$1" pod "$pod" "$3"
  done
}

# no_pods_like NAMESPACE NAME: no pod is left whose name begins so.
no_pods_like() { ! kubectl -n "$1" get pods -o name | grep -q "^pod/$2-"; }
