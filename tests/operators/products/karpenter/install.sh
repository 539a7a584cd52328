# Functions for states of nodes. TOGETHER is the namespace if it is shared.

install_karpenter() {
  local in=${TOGETHER:-karpenter} part
  namespace "$in"
  apply_as_installer "$KARPENTER/kwok/charts/crds" "$KARPENTER/kwok/apis/crds"
  for part in serviceaccount clusterrole clusterrole-kwok role rolebinding service deployment; do
    echo ---
    karpenter_chart "$in" <"$KARPENTER/kwok/charts/templates/$part.yaml"
    echo
  done >"$PLANE/karpenter.yaml"
  apply_as_installer "$PLANE/karpenter.yaml"
  up "$in" karpenter
}

# karpenter_chart NAMESPACE renders a template of the chart from stdin for the release karpenter.
# Parts that depend on optional values are left out.
karpenter_chart() {
  awk -v namespace="$1" '
    function labels(indent, chart) {
      gsub(/[^0-9]/, "", indent)
      printf "%*sapp.kubernetes.io/name: karpenter\n%*sapp.kubernetes.io/instance: karpenter\n", indent, "", indent, ""
      if (chart) printf "%*sapp.kubernetes.io/managed-by: Helm\n", indent, ""
    }
    /{{-? (if|with) / { hidden[++depth] = hidden[depth - 1] || !/serviceAccount.create/; next }
    /{{-? end/ { depth--; next }
    hidden[depth] { next }
    /include "karpenter.labels"/ { labels(substr($0, index($0, "nindent")), 1); next }
    /include "karpenter.selectorLabels"/ { labels(substr($0, index($0, "nindent")), 0); next }
    {
      gsub(/{{ (include|template) "karpenter.(fullname|serviceAccountName)" . }}/, "karpenter")
      gsub(/{{ include "karpenter.controller.image" . }}/, "karpenter:test")
      gsub(/{{ .Release.Namespace }}/, namespace)
      gsub(/{{ .Values.replicas }}/, 1)
      gsub(/{{ .Values.revisionHistoryLimit }}/, 10)
      gsub(/{{ .Values.imagePullPolicy }}/, "IfNotPresent")
      gsub(/{{ .Values.controller.metrics.port }}/, 8080)
      gsub(/{{ .Values.controller.healthProbe.port }}/, 8081)
      gsub(/{{ .Values.settings.featureGates.[a-zA-Z]* }}/, "false")
      print
    }'
}

# node_claim NAME creates a NodeClaim as Karpenter does and waits for its Node, which becomes Ready.
# NODE is set to the Node's name.
node_claim() {
  kubectl apply -f - <<YAML
apiVersion: karpenter.kwok.sh/v1alpha1
kind: KWOKNodeClass
metadata: {name: default}
---
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: default}
spec:
  disruption: {consolidateAfter: Never}
  template:
    spec:
      expireAfter: Never
      nodeClassRef: {group: karpenter.kwok.sh, kind: KWOKNodeClass, name: default}
      requirements: [{key: kubernetes.io/arch, operator: In, values: [amd64]}]
YAML
  kubectl create --field-manager=karpenter -f - <<YAML
apiVersion: karpenter.sh/v1
kind: NodeClaim
metadata:
  name: $1
  labels: {karpenter.sh/nodepool: default, karpenter.kwok.sh/kwoknodeclass: default}
  ownerReferences:
  - {apiVersion: karpenter.sh/v1, kind: NodePool, name: default, blockOwnerDeletion: true,
     uid: $(kubectl get nodepool default -o jsonpath='{.metadata.uid}')}
spec:
  expireAfter: Never
  nodeClassRef: {group: karpenter.kwok.sh, kind: KWOKNodeClass, name: default}
  requirements:
  - {key: node.kubernetes.io/instance-type, operator: In, values: [c-4x-amd64-linux]}
  - {key: kubernetes.io/arch, operator: In, values: [amd64]}
  - {key: kubernetes.io/os, operator: In, values: [linux]}
  - {key: karpenter.sh/capacity-type, operator: In, values: [on-demand]}
  resources: {requests: {cpu: "1", pods: "10"}}
YAML
  wait_for 60 "claim $1 has a node" node_of "$1"
  NODE=$(kubectl get nodes -l "kubernetes.io/hostname=$1" -o jsonpath='{.items[0].metadata.name}')
  node "$NODE" Ready
  stays_ready "$NODE" >/dev/null 2>&1 &
  wait_for 60 "claim $1 is initialized" is True '{.status.conditions[?(@.type=="Initialized")].status}' nodeclaim "$1"
}
node_of() { test -n "$(kubectl get nodes -l "kubernetes.io/hostname=$1" -o name)"; }

# stays_ready NODE renews the lease of a node for as long as the lease exists.
stays_ready() {
  while renew kube-node-lease "$1"; do sleep 10; done
}

# runs NAMESPACE POD NODE [ANNOTATIONS] creates a running pod on a node. It is deleted at once when
# it is evicted.
runs() {
  namespace "$1"
  kubectl apply -f - <<YAML
apiVersion: v1
kind: Pod
metadata: {name: $2, namespace: $1, labels: {app: $2}, annotations: {${4:-}}}
spec:
  nodeName: $3
  automountServiceAccountToken: false
  terminationGracePeriodSeconds: 0
  containers: [{name: main, image: example.invalid/none}]
YAML
  kubectl -n "$1" patch pod "$2" --subresource=status --type=merge \
    -p "status: {phase: Running, startTime: '$(now)', conditions: [$(condition Ready True)]}"
}

# budget NAMESPACE POD creates a budget that does not allow the eviction of a pod.
budget() {
  kubectl -n "$1" create poddisruptionbudget "$2" --selector="app=$2" --min-available=1
  wait_for 30 "the budget counts" is 1 '{.status.currentHealthy}' poddisruptionbudget "$2" -n "$1"
}

# crash_karpenter NAMESPACE makes Karpenter crash. The function crash of lib.sh needs a container
# with arguments.
crash_karpenter() {
  kubectl -n "$1" patch deployment karpenter --type=json -p '[
    {"op": "add", "path": "/spec/strategy", "value": {"type": "Recreate"}},
    {"op": "add", "path": "/spec/template/spec/containers/0/args", "value": ["--no-such-flag"]}]'
  wait_for 90 "$1/karpenter crashes" crashes "$1" karpenter
}
