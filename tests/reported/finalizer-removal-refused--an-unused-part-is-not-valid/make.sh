# The root object of a management cluster is being deleted, and everything that it installed is
# gone. On every update the operator's own webhook checks that all providers are valid, also when
# the operator removes its finalizer, and one provider is not valid. (A few lines of Python play the
# webhook, because the test backend only has its own messages. It is called by URL, not by its
# Service.)
kubelet
node_with_kubelet worker
settled worker
for pair in managements:Management:Cluster releases:Release:Cluster providertemplates:ProviderTemplate:Cluster accessmanagements:AccessManagement:Cluster \
  clusterdeployments:ClusterDeployment:Namespaced clustertemplates:ClusterTemplate:Namespaced; do
  IFS=: read -r plural kind scope <<<"$pair"
  crd "$plural" k0rdent.mirantis.com "$kind" "$scope" v1alpha1
done
crd helmreleases helm.toolkit.fluxcd.io HelmRelease Namespaced v2
crd helmcharts source.toolkit.fluxcd.io HelmChart
crd helmrepositories source.toolkit.fluxcd.io HelmRepository
works 600 kcm-system kcm-controller-manager managements.k0rdent.mirantis.com releases.k0rdent.mirantis.com providertemplates.k0rdent.mirantis.com \
  accessmanagements.k0rdent.mirantis.com clusterdeployments.k0rdent.mirantis.com clustertemplates.k0rdent.mirantis.com \
  helmreleases.helm.toolkit.fluxcd.io helmcharts.source.toolkit.fluxcd.io helmrepositories.source.toolkit.fluxcd.io
leading kcm-system 31c555b4.k0rdent.mirantis.com "$(pods_of kcm-system kcm-controller-manager)_5d1f0c9e"
service kcm-system kcm-webhook-service 9443
# Flux, and a certificate manager.
operator kcm-system source-controller 1 helmcharts.source.toolkit.fluxcd.io helmrepositories.source.toolkit.fluxcd.io
operator kcm-system helm-controller "$([ -n "${TWIN:-}" ] && echo 0 || echo 1)" helmreleases.helm.toolkit.fluxcd.io
for name in source-controller $([ -n "${TWIN:-}" ] || echo helm-controller); do
  pods_on worker kcm-system "$name"
  pods_running_since 600 kcm-system "$name"
done
crd certificates cert-manager.io Certificate
works 600 cert-manager cert-manager certificates.cert-manager.io

kubectl apply --field-manager=manager -f - <<'YAML'
apiVersion: k0rdent.mirantis.com/v1alpha1
kind: Release
metadata: {name: kcm-0-0-7, annotations: {helm.sh/resource-policy: keep}, labels: {k0rdent.mirantis.com/component: kcm}}
spec:
  version: 0.0.7
  kcm: {template: kcm-0-0-7}
  capi: {template: cluster-api-0-0-8}
  providers: [{name: k0smotron, template: k0smotron-0-0-8}, {name: cluster-api-provider-azure, template: cluster-api-provider-azure-0-0-7}, {name: cluster-api-provider-aws, template: cluster-api-provider-aws-0-0-5}]
status: {ready: true, observedGeneration: 1, conditions: [{type: TemplatesValid, status: "True", reason: Succeeded, message: All templates are valid, lastTransitionTime: "2025-01-27T09:00:00Z"}]}
YAML
# template NAME CHART VERSION CONTRACTS [ERROR] creates a ProviderTemplate, which an ERROR makes
# invalid.
template() {
  kubectl apply --field-manager=manager -f - <<YAML
apiVersion: k0rdent.mirantis.com/v1alpha1
kind: ProviderTemplate
metadata:
  name: $1
  annotations: {helm.sh/resource-policy: keep}
  labels: {k0rdent.mirantis.com/component: kcm}
  ownerReferences: [$(owner releases kcm-0-0-7 "" false)]
spec: {helm: {chartSpec: {chart: $2, version: $3, interval: 10m0s, sourceRef: {kind: HelmRepository, name: kcm-templates}}}}
status: {observedGeneration: 1, capiContracts: $4, chartVersion: $3, chartRef: {kind: HelmChart, name: $1, namespace: kcm-system},
  valid: $([ -n "${5:-}" ] && echo false || echo true), validationError: "${5:-}"}
YAML
}
template kcm-0-0-7 kcm 0.0.7 '{}'
template cluster-api-0-0-8 cluster-api 0.0.8 '{v1alpha3: "", v1alpha4: "", v1beta1: ""}'
template k0smotron-0-0-8 k0smotron 0.0.8 '{v1beta1: v1beta1}'
template cluster-api-provider-aws-0-0-5 cluster-api-provider-aws 0.0.5 '{v1beta1: v1beta2}'
broken="failed to download chart: GET http://source-controller.kcm-system.svc.cluster.local./helmchart/kcm-system/cluster-api-provider-azure-0-0-7/cluster-api-provider-azure-0.0.7.tgz giving up after 3 attempt(s)"
template cluster-api-provider-azure-0-0-7 cluster-api-provider-azure 0.0.7 '{v1beta1: v1beta1}' "$([ -n "${TWIN:-}" ] || echo "$broken")"

# The components that the root object installed.
object kcm-system HelmRepository.v1.source.toolkit.fluxcd.io kcm-templates '{type: oci, url: "oci://ghcr.io/k0rdent/kcm/charts", interval: 10m}'
finalizer kcm-system helmrepositories kcm-templates finalizers.fluxcd.io source-controller
kubectl -n kcm-system label helmrepository kcm-templates k0rdent.mirantis.com/managed=true
object kcm-system HelmRelease.v2.helm.toolkit.fluxcd.io kcm '{chartRef: {kind: HelmChart, name: kcm-0-0-7}, interval: 10m}'
finalizer kcm-system helmreleases kcm finalizers.fluxcd.io helm-controller
says kcm-system helmreleases kcm helm-controller "{observedGeneration: 1, conditions: [$(condition Ready True UpgradeSucceeded 'Helm upgrade succeeded for release kcm-system/kcm.v2 with chart kcm@0.0.7')]}"
for name in capi k0smotron cluster-api-provider-aws; do
  object kcm-system HelmRelease.v2.helm.toolkit.fluxcd.io "$name" "{chartRef: {kind: HelmChart, name: $name}, interval: 10m}"
  kubectl -n kcm-system label helmrelease "$name" k0rdent.mirantis.com/managed=true
  finalizer kcm-system helmreleases "$name" finalizers.fluxcd.io helm-controller
  says kcm-system helmreleases "$name" helm-controller "{observedGeneration: 1, conditions: [$(condition Ready True InstallSucceeded "Helm install succeeded for release kcm-system/$name.v1 with chart $name")]}"
done
kubectl apply -f - <<'YAML'
apiVersion: k0rdent.mirantis.com/v1alpha1
kind: Management
metadata: {name: kcm, labels: {k0rdent.mirantis.com/component: kcm}}
spec:
  release: kcm-0-0-7
  core: {kcm: {}, capi: {}}
  providers: [{name: k0smotron}, {name: cluster-api-provider-azure}, {name: cluster-api-provider-aws}]
YAML
kubectl patch management kcm --type=merge --field-manager=manager -p 'metadata: {finalizers: [k0rdent.mirantis.com/management]}'
if [ -n "${TWIN:-}" ]; then
  ready=$(condition Ready True AllComponentsHealthy 'All components are successfully installed.') azure='{template: cluster-api-provider-azure-0-0-7, success: true}'
else
  ready=$(condition Ready False NotAllComponentsHealthy 'Components not ready: [cluster-api-provider-azure]')
  azure='{template: cluster-api-provider-azure-0-0-7, error: Template cluster-api-provider-azure-0-0-7 is not marked as valid, success: false}'
fi
kubectl patch management kcm --type=merge --field-manager=manager -p "status: {release: kcm-0-0-7, observedGeneration: 1, availableProviders: [infrastructure-internal, infrastructure-aws, control-plane-k0sproject-k0smotron],
  components: {kcm: {template: kcm-0-0-7, success: true}, capi: {template: cluster-api-0-0-8, success: true}, k0smotron: {template: k0smotron-0-0-8, success: true},
    cluster-api-provider-aws: {template: cluster-api-provider-aws-0-0-5, success: true}, cluster-api-provider-azure: $azure}, conditions: [$ready]}"
kubectl apply --field-manager=manager -f - <<'YAML'
apiVersion: k0rdent.mirantis.com/v1alpha1
kind: AccessManagement
metadata: {name: kcm, labels: {k0rdent.mirantis.com/component: kcm}}
spec: {accessRules: []}
YAML

cat >"$PLANE/webhook.py" <<'PYTHON'
import http.server, json, ssl, subprocess, sys, threading

def invalid(name):
    found = subprocess.run(["kubectl", "get", "providertemplate", name, "-o", "jsonpath={.status.valid}"], capture_output=True, text=True)
    return found.returncode == 0 and found.stdout.strip() == "false"

def refusal(asked):
    made = asked.get("object") or {}
    if asked["operation"] == "UPDATE" and asked["kind"]["kind"] == "Management":
        for name in ["k0smotron-0-0-8", "cluster-api-provider-azure-0-0-7", "cluster-api-provider-aws-0-0-5"]:
            if invalid(name):
                return "the Management is invalid: not valid ProviderTemplate " + name

class Webhook(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        review = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        asked = review.pop("request")
        words = refusal(asked) if self.path.startswith("/validate") else None
        answer = review["response"] = {"uid": asked["uid"], "allowed": words is None}
        if words:
            answer["status"] = {"message": words, "reason": "Forbidden", "code": 403}
        body = json.dumps(review).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass

server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Webhook)
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(sys.argv[1] + "/server.crt", sys.argv[1] + "/server.key")
server.socket = context.wrap_socket(server.socket, server_side=True)
threading.Thread(target=server.serve_forever, daemon=True).start()
print(server.server_address[1], flush=True)
sys.stdin.read()
PYTHON
python3 "$PLANE/webhook.py" "$PLANE/certs" <&3 >"$PLANE/webhook" 2>"$PLANE/webhook.log" &
wait_for 10 "the webhook listens" test -s "$PLANE/webhook"
# entry PREFIX KIND OPERATIONS prints an entry of a webhook configuration.
entry() {
  echo "{name: $1.${2,,}.k0rdent.mirantis.com, admissionReviewVersions: [v1, v1beta1], sideEffects: None, failurePolicy: Fail, matchPolicy: Equivalent,
    clientConfig: {url: \"https://127.0.0.1:$(cat "$PLANE/webhook")/$([ "$1" = validation ] && echo validate || echo mutate)-k0rdent-mirantis-com-v1alpha1-${2,,}\", caBundle: $(base64 -w0 "$PLANE/certs/ca.crt")},
    rules: [{apiGroups: [k0rdent.mirantis.com], apiVersions: [v1alpha1], operations: [$3], resources: [${2,,}s]}]}"
}
kubectl apply -f - <<YAML
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: kcm-validating-webhook-configuration, $(helm kcm-system kcm)}
webhooks: [$(entry validation ClusterDeployment "CREATE, UPDATE, DELETE"), $(entry validation Management "CREATE, UPDATE, DELETE"), $(entry validation ProviderTemplate DELETE), $(entry validation AccessManagement "CREATE, UPDATE, DELETE"), $(entry validation Release DELETE)]
---
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingWebhookConfiguration
metadata: {name: kcm-mutating-webhook-configuration, $(helm kcm-system kcm)}
webhooks: [$(entry mutation ClusterDeployment "CREATE, UPDATE"), $(entry mutation Management "CREATE, UPDATE"), $(entry mutation Release "CREATE, UPDATE")]
YAML
if [ -z "${TWIN:-}" ]; then
  heeded() { ! kubectl annotate management kcm a=b --dry-run=server; }
  wait_for 30 "the webhook is heeded" heeded
else
  sleep 2
fi

kubectl delete management kcm --wait=false
# The operator deletes what it installed, and Flux uninstalls it.
kubectl -n kcm-system patch helmrelease kcm --type=merge --field-manager=manager -p 'spec: {suspend: true}'
kubectl -n kcm-system delete helmrelease capi k0smotron cluster-api-provider-aws --wait=false
said() {
  log kcm-system "$(pods_of kcm-system kcm-controller-manager)" manager \
    "$(now)	ERROR	Reconciler error	{\"controller\": \"management\", \"controllerGroup\": \"k0rdent.mirantis.com\", \"controllerKind\": \"Management\", \"Management\": {\"name\":\"kcm\"}, \"namespace\": \"\", \"name\": \"kcm\", \"error\": \"$1\"}"
}
if [ -n "${TWIN:-}" ]; then
  late
  for name in capi k0smotron cluster-api-provider-aws; do
    aged 24 /registry/helm.toolkit.fluxcd.io/helmreleases/kcm-system/$name helmrelease $name -n kcm-system
  done
  said 'waiting for HelmRelease kcm-system/capi removal\nwaiting for HelmRelease kcm-system/cluster-api-provider-aws removal\nwaiting for HelmRelease kcm-system/k0smotron removal'
else
  kubectl -n kcm-system patch helmrelease capi --type=merge -p 'metadata: {finalizers: null}'
  kubectl -n kcm-system patch helmrelease k0smotron --type=merge -p 'metadata: {finalizers: null}'
  kubectl -n kcm-system patch helmrelease cluster-api-provider-aws --type=merge -p 'metadata: {finalizers: null}'
  kubectl -n kcm-system delete helmrepository kcm-templates --wait=false
  kubectl -n kcm-system patch helmrepository kcm-templates --type=merge -p 'metadata: {finalizers: null}'
  said 'admission webhook \"validation.management.k0rdent.mirantis.com\" denied the request: the Management is invalid: not valid ProviderTemplate cluster-api-provider-azure-0-0-7'
  late
fi
aged 25 /registry/k0rdent.mirantis.com/managements/kcm management kcm
