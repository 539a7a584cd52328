# Functions for states of Applications. TOGETHER is the namespace if it is shared.

ARGO_CONTROLLER=argocd-application-controller

install_argo_cd() {
  local in=${TOGETHER:-argocd}
  namespace "$in"
  rm -rf "$PLANE/kustomize" && cp -r "$ARGO_CD/manifests" "$PLANE/kustomize" && chmod -R u+w "$PLANE/kustomize"
  mkdir "$PLANE/kustomize/test"
  # One image contains all programs, and its missing entrypoint would start the one that the
  # arguments name. So the patch sets the command.
  cat >"$PLANE/kustomize/test/kustomization.yaml" <<YAML
namespace: $in
resources: [../core-install]
patches:
- target: {kind: StatefulSet}
  patch: |-
    - {op: add, path: /spec/template/spec/containers/0/command, value: [/usr/local/bin/$ARGO_CONTROLLER]}
    - {op: replace, path: /spec/template/spec/containers/0/args, value: [--loglevel=info]}
- target: {kind: ClusterRoleBinding}
  patch: |-
    - {op: replace, path: /subjects/0/namespace, value: $in}
- target: {kind: Deployment, name: argocd-(applicationset-controller|repo-server)}
  patch: |-
    - {op: replace, path: /spec/template/spec/containers/0/image, value: example.invalid/none}
YAML
  kubectl kustomize "$PLANE/kustomize/test" >"$PLANE/argo-cd.yaml"
  kubectl -n "$in" get secret argocd-redis || kubectl -n "$in" create secret generic argocd-redis --from-literal=auth=none
  apply_as_installer "$PLANE/argo-cd.yaml"
  wait_for 90 "$in/$ARGO_CONTROLLER is ready" is 1 '{.status.readyReplicas}' statefulset "$ARGO_CONTROLLER" -n "$in"
}

# project NAME [FINALIZER] creates an AppProject whose Applications may do everything.
project() {
  kubectl apply -f - <<YAML
apiVersion: argoproj.io/v1alpha1
kind: AppProject
metadata: {name: $1, namespace: ${TOGETHER:-argocd}, finalizers: [${2:-}]}
spec:
  sourceRepos: ['*']
  sourceNamespaces: ['*']
  destinations: [{namespace: '*', server: '*'}]
  clusterResourceWhitelist: [{group: '*', kind: '*'}]
YAML
}

# application NAME PROJECT [SERVER [ANNOTATIONS]] creates an Application of an unreachable
# repository that has applied a ConfigMap in namespace shop.
application() {
  local in=${TOGETHER:-argocd}
  namespace shop
  kubectl apply -f - <<YAML
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: $1, namespace: $in, finalizers: [resources-finalizer.argocd.argoproj.io], annotations: {${4:-}}}
spec:
  project: $2
  source: {repoURL: https://git.example.invalid/apps, path: $1, targetRevision: main}
  destination: {server: "${3:-https://kubernetes.default.svc}", namespace: shop}
YAML
  kubectl -n "$in" patch applications.argoproj.io "$1" --type=merge --field-manager="$ARGO_CONTROLLER" -p "status: {
    sync: {status: Synced}, resources: [{version: v1, kind: ConfigMap, namespace: shop, name: $1-settings, status: Synced}]}"
}

# managed APPLICATION [FINALIZERS [ANNOTATIONS]] creates the ConfigMap that an Application has
# applied.
managed() {
  kubectl apply --server-side --field-manager=argocd-controller -f - <<YAML
apiVersion: v1
kind: ConfigMap
metadata:
  name: $1-settings
  namespace: shop
  finalizers: [${2:-}]
  annotations: {"argocd.argoproj.io/tracking-id": "$1:/ConfigMap:shop/$1-settings", ${3:-}}
YAML
}

# argo_stop NAMESPACE stops the controller. It is a StatefulSet, which the functions of lib.sh do
# not support.
argo_stop() {
  kubectl -n "$1" scale statefulset "$ARGO_CONTROLLER" --replicas=0
  wait_for 60 "$1/$ARGO_CONTROLLER has ended" gone pod "$ARGO_CONTROLLER-0" -n "$1"
}
argo_crash() {
  kubectl -n "$1" patch statefulset "$ARGO_CONTROLLER" --type=json \
    -p '[{"op": "add", "path": "/spec/template/spec/containers/0/args/-", "value": "--no-such-flag"}]'
  wait_for 90 "$1/$ARGO_CONTROLLER crashes" \
    is CrashLoopBackOff '{.status.containerStatuses[0].state.waiting.reason}' pod "$ARGO_CONTROLLER-0" -n "$1"
}
# argo_mend NAMESPACE repairs the controller. It deletes the pod, because a StatefulSet does not
# replace a pod that was never ready.
argo_mend() {
  kubectl -n "$1" rollout undo statefulset "$ARGO_CONTROLLER"
  kubectl -n "$1" delete pod "$ARGO_CONTROLLER-0"
}

# look_at NAMESPACE APPLICATION makes the controller check an Application now.
look_at() { kubectl -n "$1" annotate applications.argoproj.io "$2" --overwrite argocd.argoproj.io/refresh=normal; }

# needs_confirmation APPLICATION sets the status that the controller sets for such an object after
# the comparison.
needs_confirmation() {
  kubectl -n "${TOGETHER:-argocd}" patch applications.argoproj.io "$1" --type=json --field-manager="$ARGO_CONTROLLER" \
    -p '[{"op": "add", "path": "/status/resources/0/requiresDeletionConfirmation", "value": true}]'
}

# remote_cluster SERVER adds a second cluster that Argo CD may apply to.
remote_cluster() {
  kubectl apply -f - <<YAML
apiVersion: v1
kind: Secret
metadata: {name: remote, namespace: ${TOGETHER:-argocd}, labels: {argocd.argoproj.io/secret-type: cluster}}
stringData: {name: remote, server: "$1", config: '{"tlsClientConfig": {"insecure": true}}'}
YAML
}

# not_compared APPLICATION waits until the controller has reported that the repository cannot be
# reached.
not_compared() {
  wait_for 120 "it cannot be compared" is ComparisonError '{.status.conditions[0].type}' \
    applications.argoproj.io "$1" -n "${TOGETHER:-argocd}"
}
