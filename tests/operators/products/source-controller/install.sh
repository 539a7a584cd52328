# Functions for states of sources. TOGETHER is the namespace if it is shared.

install_source_controller() {
  local in=${TOGETHER:-source-system}
  namespace "$in"
  rm -rf "$PLANE/kustomize" && cp -r "$SOURCE_CONTROLLER/config" "$PLANE/kustomize" && chmod -R u+w "$PLANE/kustomize"
  cat >"$PLANE/kustomize/default/kustomization.yaml" <<YAML
namespace: $in
resources: [../crd, ../rbac, ../manager]
YAML
  kubectl kustomize "$PLANE/kustomize/default" >"$PLANE/source-controller.yaml"
  apply_as_installer "$PLANE/source-controller.yaml"
  up "$in" source-controller
}

# repository NAMESPACE NAME creates a GitRepository on an unreachable server.
repository() {
  namespace "$1"
  object "$1" GitRepository.v1.source.toolkit.fluxcd.io "$2" '{url: https://git.example.invalid/apps, interval: 1h}'
  wait_for 60 "repository $2 is held" is finalizers.fluxcd.io '{.metadata.finalizers[0]}' \
    gitrepositories.source.toolkit.fluxcd.io "$2" -n "$1"
  wait_for 60 "it cannot be fetched" is False '{.status.conditions[?(@.type=="Ready")].status}' \
    gitrepositories.source.toolkit.fluxcd.io "$2" -n "$1"
}
