# The target of router configurations was deleted. On every update the operator's own webhook checks
# that the objects named in it exist, also when the operator removes its finalizer. (A few lines of
# Python play the webhook, because the test backend only has its own messages. It is called by URL,
# not by its Service.)
kubelet
node_with_kubelet worker
settled worker
for pair in vrouterbindings:VRouterBinding vrouterconfigs:VRouterConfig vroutertargets:VRouterTarget vroutertemplates:VRouterTemplate; do
  crd "${pair%:*}" vrouter.kojuro.date "${pair#*:}"
done
crd virtualmachines kubevirt.io VirtualMachine
works 600 vrouter-operator-system vrouter-operator-controller-manager vrouterbindings.vrouter.kojuro.date \
  vrouterconfigs.vrouter.kojuro.date vroutertargets.vrouter.kojuro.date vroutertemplates.vrouter.kojuro.date
[ -n "${TWIN:-}" ] || leading vrouter-operator-system d9121dda.kojuro.date \
  "$(pods_of vrouter-operator-system vrouter-operator-controller-manager)_a1b2"
service vrouter-operator-system vrouter-operator-webhook-service 443 9443
# KubeVirt, and a GitOps controller that may write all these kinds.
works 600 kubevirt virt-controller virtualmachines.kubevirt.io
leading kubevirt virt-controller "$(pods_of kubevirt virt-controller)"
works 600 flux-system kustomize-controller vrouterbindings.vrouter.kojuro.date vroutertargets.vrouter.kojuro.date virtualmachines.kubevirt.io

kubectl create namespace routers
vm() {
  object routers VirtualMachine.v1.kubevirt.io "$1" '{runStrategy: Always}'
  says routers virtualmachine "$1" virt-controller "{ready: true, printableStatus: Running}"
}
target() {
  kubectl apply -f - <<YAML
apiVersion: vrouter.kojuro.date/v1
kind: VRouterTarget
metadata: {name: $1, namespace: routers}
spec: {provider: {type: kubevirt, kubevirt: {name: $1, namespace: routers}}, params: {hostname: $1}}
status: {vmRunning: true}
YAML
}
for name in vyos-kubevirt vyos-edge; do vm $name; target $name; done
object routers VRouterTemplate.v1.vrouter.kojuro.date hostname-template '{config: "set system host-name {{ .hostname }}"}'
# bound NAME TARGET creates a binding and the configuration that the operator creates for it.
bound() {
  object routers VRouterBinding.v1.vrouter.kojuro.date "$1" "{templateRefs: [{name: hostname-template}], targetRefs: [{name: $2}]}"
  finalizer routers vrouterbindings "$1" vrouter.kojuro.date/finalizer manager
  kubectl apply --field-manager=manager -f - <<YAML
apiVersion: vrouter.kojuro.date/v1
kind: VRouterConfig
metadata:
  name: $1.$2
  namespace: routers
  labels: {vrouter.kojuro.date/binding: $1, vrouter.kojuro.date/target: $2}
  ownerReferences: [$(owner vrouterbindings "$1" routers)]
spec: {targetRef: {name: $2}, config: set system host-name $2}
status:
  phase: Applied
  observedGeneration: 1
  lastAppliedTime: "2026-06-10T08:00:00Z"
  conditions: [{type: Applied, status: "True", reason: ConfigApplied, message: Configuration applied successfully., observedGeneration: 1, lastTransitionTime: "2026-06-10T08:00:00Z"}]
YAML
  finalizer routers vrouterconfigs "$1.$2" vrouter.kojuro.date/finalizer manager
  says routers vrouterbindings "$1" manager "{conditions: [{type: Ready, status: 'True', reason: ReconcileSucceeded, message: All VRouterConfigs reconciled successfully., observedGeneration: 1, lastTransitionTime: '2026-06-10T08:00:00Z'}]}"
}
bound hostname-binding vyos-kubevirt
bound edge-binding vyos-edge

cat >"$PLANE/webhook.py" <<'PYTHON'
import http.server, json, ssl, subprocess, sys, threading

def missing(kind, namespace, name):
    found = subprocess.run(["kubectl", "get", kind, name, "-n", namespace, "--ignore-not-found", "-o", "name"], capture_output=True, text=True)
    return found.returncode == 0 and not found.stdout.strip()

def refusal(asked):
    made, namespace = asked.get("object") or {}, asked.get("namespace")
    spec = made.get("spec", {})
    if asked["kind"]["kind"] == "VRouterConfig" and missing("vroutertarget", namespace, spec["targetRef"]["name"]):
        return 'spec.targetRef "%s" not found' % spec["targetRef"]["name"]
    if asked["kind"]["kind"] == "VRouterBinding":
        for ref in spec["targetRefs"]:
            if missing("vroutertarget", namespace, ref["name"]):
                return 'spec.targetRefs "%s" (namespace "%s") not found' % (ref["name"], namespace)

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
# entry PREFIX KIND prints an entry of a webhook configuration.
entry() {
  echo "{name: $1${2,,}-v1.kb.io, admissionReviewVersions: [v1], sideEffects: None, failurePolicy: Fail,
    clientConfig: {url: \"https://127.0.0.1:$(cat "$PLANE/webhook")/$([ "$1" = v ] && echo validate || echo mutate)-vrouter-kojuro-date-v1-${2,,}\", caBundle: $(base64 -w0 "$PLANE/certs/ca.crt")},
    rules: [{apiGroups: [vrouter.kojuro.date], apiVersions: [v1], operations: [CREATE, UPDATE], resources: [${2,,}s]}]}"
}
for pair in v:ValidatingWebhookConfiguration m:MutatingWebhookConfiguration; do
  prefix=${pair%:*} kind=${pair#*:}
  kubectl apply -f - <<YAML
apiVersion: admissionregistration.k8s.io/v1
kind: $kind
metadata: {name: vrouter-operator-$([ $prefix = v ] && echo validating || echo mutating)-webhook-configuration, $(helm vrouter-operator-system vrouter-operator)}
webhooks: [$(entry $prefix VRouterBinding), $(entry $prefix VRouterConfig), $(entry $prefix VRouterTarget), $(entry $prefix VRouterTemplate)]
YAML
done
heeded() { ! kubectl -n routers patch vrouterbinding edge-binding --type=merge --dry-run=server -p 'spec: {targetRefs: [{name: none}]}'; }
wait_for 30 "the webhook is heeded" heeded

# In the product the status is a subresource, which the webhook does not see. Here it is written
# before the webhook refuses updates.
says routers vrouterbinding hostname-binding manager "{conditions: [{type: Ready, status: 'False', reason: ReconcileError, observedGeneration: 1, lastTransitionTime: '$(now)',
  message: 'get target \"vyos-kubevirt\": VRouterTarget.vrouter.kojuro.date \"vyos-kubevirt\" not found'}]}"
kubectl -n routers delete vroutertarget vyos-kubevirt
kubectl -n routers delete virtualmachine vyos-kubevirt
kubectl -n routers delete vrouterbinding hostname-binding --wait=false
kubectl -n routers delete vrouterconfig hostname-binding.vyos-kubevirt --wait=false
if [ -n "${TWIN:-}" ]; then
  vm vyos-kubevirt
  target vyos-kubevirt
  kubectl -n vrouter-operator-system scale deployment vrouter-operator-controller-manager --replicas=0
  kubectl -n vrouter-operator-system delete pod -l app.kubernetes.io/name=vrouter-operator-controller-manager --force --grace-period=0
else
  # said CONTROLLER KIND NAME MESSAGE writes an error to the operator's log.
  said() {
    log vrouter-operator-system "$(pods_of vrouter-operator-system vrouter-operator-controller-manager)" manager \
      "$(now)	ERROR	Reconciler error	{\"controller\": \"$1\", \"controllerGroup\": \"vrouter.kojuro.date\", \"controllerKind\": \"$2\", \"$2\": {\"name\":\"$3\",\"namespace\":\"routers\"}, \"namespace\": \"routers\", \"name\": \"$3\", \"error\": \"$4\"}"
  }
  said vrouterconfig VRouterConfig hostname-binding.vyos-kubevirt \
    'admission webhook \"vvrouterconfig-v1.kb.io\" denied the request: spec.targetRef \"vyos-kubevirt\" not found'
  said vrouterbinding VRouterBinding hostname-binding \
    'admission webhook \"vvrouterbinding-v1.kb.io\" denied the request: spec.targetRefs \"vyos-kubevirt\" (namespace \"routers\") not found'
fi
late
aged 55 /registry/vrouter.kojuro.date/vrouterbindings/routers/hostname-binding vrouterbinding hostname-binding -n routers
aged 54 /registry/vrouter.kojuro.date/vrouterconfigs/routers/hostname-binding.vyos-kubevirt vrouterconfig hostname-binding.vyos-kubevirt -n routers
