# Functions for states of Kustomizations. TOGETHER is the namespace if it is shared.

install_kustomize_controller() {
  local kind in=${TOGETHER:-flux-system}
  # Create the kinds of its sources as far as it reads them, unless their own controller is
  # installed.
  for kind in gitrepositories:GitRepository buckets:Bucket ocirepositories:OCIRepository externalartifacts:ExternalArtifact; do
    kubectl get crd "${kind%:*}.source.toolkit.fluxcd.io" ||
      crd "${kind%:*}" source.toolkit.fluxcd.io "${kind#*:}"
  done
  namespace "$in"
  rm -rf "$PLANE/kustomize" && cp -r "$KUSTOMIZE_CONTROLLER/config" "$PLANE/kustomize" && chmod -R u+w "$PLANE/kustomize"
  cat >"$PLANE/kustomize/default/kustomization.yaml" <<YAML
namespace: $in
resources: [../crd, ../rbac, ../manager]
YAML
  kubectl kustomize "$PLANE/kustomize/default" >"$PLANE/kustomize-controller.yaml"
  apply_as_installer "$PLANE/kustomize-controller.yaml"
  up "$in" kustomize-controller
}

# kustomization NAMESPACE NAME [SPEC-FIELDS [OBJECT...]] creates a Kustomization whose source was
# never fetched. Each OBJECT is an inventory entry for what it once applied.
kustomization() {
  local namespace=$1 name=$2 fields=${3:-} entries=
  shift $(($# < 3 ? $# : 3))
  namespace "$namespace"
  object "$namespace" GitRepository.v1.source.toolkit.fluxcd.io apps '{url: https://git.example.invalid/apps, interval: 1h}'
  kubectl apply -f - <<YAML
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: $name, namespace: $namespace}
spec:
  interval: 10m
  path: ./
  prune: true
  sourceRef: {kind: GitRepository, name: apps}
  $fields
YAML
  wait_for 60 "Kustomization $name is held" is finalizers.fluxcd.io '{.metadata.finalizers[0]}' \
    kustomizations.kustomize.toolkit.fluxcd.io "$name" -n "$namespace"
  local object
  for object in "$@"; do entries+="{id: $object, v: v1},"; done
  kubectl -n "$namespace" patch kustomizations.kustomize.toolkit.fluxcd.io "$name" --subresource=status --type=merge \
    --field-manager=gotk-kustomize-controller -p "status: {inventory: {entries: [$entries]}, lastAppliedRevision: main@sha1:1}"
}

# applied NAMESPACE NAME KUSTOMIZATION-NAMESPACE KUSTOMIZATION [FINALIZERS] creates a ConfigMap that
# a Kustomization has applied.
applied() {
  namespace "$1"
  kubectl apply --server-side --field-manager=kustomize-controller -f - <<YAML
apiVersion: v1
kind: ConfigMap
metadata:
  name: $2
  namespace: $1
  labels: {kustomize.toolkit.fluxcd.io/namespace: $3, kustomize.toolkit.fluxcd.io/name: $4}
  finalizers: [${5:-}]
YAML
}
