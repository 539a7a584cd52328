# Functions for states of policies.

install_gatekeeper() {
  # One replica gives the same answers as three.
  sed 's/^  replicas: 3$/  replicas: 1/' "$GATEKEEPER/deploy/gatekeeper.yaml" >"$PLANE/gatekeeper.yaml"
  apply_as_installer "$PLANE/gatekeeper.yaml"
  up gatekeeper-system gatekeeper-controller-manager
  up gatekeeper-system gatekeeper-audit
  # Gatekeeper writes the CA that it created into its webhooks itself.
  wait_for 60 "its webhooks are trusted" kubectl create namespace probe --dry-run=server
}

# labelled KIND GROUP LABEL creates a policy that requires a label on objects of a kind.
labelled() {
  kubectl apply -f - <<YAML
apiVersion: templates.gatekeeper.sh/v1
kind: ConstraintTemplate
metadata: {name: k8sneedslabels}
spec:
  crd: {spec: {names: {kind: K8sNeedsLabels}, validation: {openAPIV3Schema: {type: object, properties: {label: {type: string}}}}}}
  targets:
  - target: admission.k8s.gatekeeper.sh
    rego: |
      package k8sneedslabels
      labels := object.get(input.review.object.metadata, "labels", {})
      violation[{"msg": msg}] {
        not labels[input.parameters.label]
        msg := sprintf("label %v is missing", [input.parameters.label])
      }
YAML
  wait_for 60 "the template's kind is there" kubectl get k8sneedslabels
  kubectl apply -f - <<YAML
apiVersion: constraints.gatekeeper.sh/v1beta1
kind: K8sNeedsLabels
metadata: {name: labelled}
spec:
  match: {kinds: [{apiGroups: ["$2"], kinds: [$1]}]}
  parameters: {label: $3}
YAML
}

# strict makes the webhook fail-closed and calls it for ConfigMaps, including their deletion.
strict() {
  kubectl patch validatingwebhookconfiguration gatekeeper-validating-webhook-configuration --type=json -p '[
    {"op": "replace", "path": "/webhooks/0/failurePolicy", "value": "Fail"},
    {"op": "replace", "path": "/webhooks/0/rules", "value": [{"apiGroups": [""], "apiVersions": ["*"],
      "operations": ["CREATE", "UPDATE", "DELETE"], "resources": ["configmaps"]}]}]'
}
decides() { kubectl -n shop delete configmap settings --dry-run=server; }
kept() { ! decides; }
refused() { ! kubectl -n shop annotate kustomizations.kustomize.toolkit.fluxcd.io apps a=b --dry-run=server; }
