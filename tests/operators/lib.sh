# Functions for real operators. Sourced before the lines of every state, after
# tests/scenarios/lib.sh.

# apply_as_installer FILE|DIR... applies manifests with the field manager of an installer.
apply_as_installer() {
  local what
  for what in "$@"; do kubectl apply --server-side --force-conflicts --field-manager=helm -f "$what"; done
}

# kustomized FOLDER PART prints the output of a kustomization of a Go module. It copies the module,
# because a module's folder is read-only and all files of a kustomization must be below one folder.
kustomized() {
  rm -rf "$PLANE/kustomize" && cp -r "$1" "$PLANE/kustomize" && chmod -R u+w "$PLANE/kustomize"
  kubectl kustomize "$PLANE/kustomize/$2"
}

# up NAMESPACE DEPLOYMENT waits until the pods of a Deployment are ready.
up() { wait_for 90 "$1/$2 is ready" is_up "$1" "$2"; }
is_up() {
  local wanted
  wanted=$(kubectl -n "$1" get deployment "$2" -o jsonpath='{.spec.replicas}')
  is "$wanted" '{.status.readyReplicas}' deployment "$2" -n "$1"
}

# stop NAMESPACE DEPLOYMENT scales a Deployment to 0 and waits until no pod is left.
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

# crash NAMESPACE DEPLOYMENT adds an unknown flag to the container's arguments and waits until the
# new pod crashes.
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
# mend NAMESPACE DEPLOYMENT removes the flag again.
mend() { kubectl -n "$1" rollout undo deployment "$2"; }

# of_old KEY NAMESPACE TYPE NAME MINUTES moves all times of an object back, including its creation.
of_old() {
  local key=$1 object then
  then=$(date -u -d "-$5 minutes" +%FT%TZ)
  object=$(kubectl ${2:+-n "$2"} get "$3" "$4" -o json --show-managed-fields)
  object=$(sed -E "s/\"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]+Z\"/\"$then\"/g; /\"resourceVersion\"/d" <<<"$object")
  "$CONTROL_PLANE" etcd-put "$key" "$object" --endpoint "$ETCD_ENDPOINT"
  wait_for 20 "$3 $4 is old" is "$then" '{.metadata.creationTimestamp}' "$3" "$4" ${2:+-n "$2"}
}

# pods_of_old NAMESPACE DEPLOYMENT MINUTES makes a Deployment and its pods this old.
pods_of_old() {
  local pod
  of_old "/registry/deployments/$1/$2" "$1" deployment "$2" "$3"
  for pod in $(kubectl -n "$1" get pods -l "$(selector "$1" "$2")" -o jsonpath='{.items[*].metadata.name}'); do
    of_old "/registry/pods/$1/$pod" "$1" pod "$pod" "$3"
  done
}

# no_pods_like NAMESPACE NAME checks that no pod with this name prefix is left.
no_pods_like() { ! kubectl -n "$1" get pods -o name | grep -q "^pod/$2-"; }
