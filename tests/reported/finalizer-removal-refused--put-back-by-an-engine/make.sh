# A policy engine adds a finalizer to an application whenever it has none, also after the controller
# removed it: the update is accepted and changes nothing. The policy is an object of the engine. The
# API server knows only its webhook. (A few lines of Python play the engine, because the test
# backend cannot add a finalizer.)
backend ok
node worker Ready
settled worker
crd applications argoproj.io Application Namespaced v1alpha1
crd appprojects argoproj.io AppProject Namespaced v1alpha1
crd clusterpolicies kyverno.io ClusterPolicy Cluster v1
kubectl label crd applications.argoproj.io appprojects.argoproj.io app.kubernetes.io/part-of=argocd

# Argo CD, whose controller has every permission.
service_account argocd argocd-application-controller
kubectl create clusterrole argocd-application-controller --verb='*' --resource='*.*'
kubectl create clusterrolebinding argocd-application-controller --clusterrole=argocd-application-controller \
  --serviceaccount=argocd:argocd-application-controller
kubectl apply -f - <<'YAML'
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: argocd-application-controller, namespace: argocd, labels: {app.kubernetes.io/name: argocd-application-controller, app.kubernetes.io/part-of: argocd}}
spec:
  replicas: 1
  serviceName: argocd-application-controller
  selector: {matchLabels: {app.kubernetes.io/name: argocd-application-controller}}
  template:
    metadata: {labels: {app.kubernetes.io/name: argocd-application-controller}}
    spec:
      serviceAccountName: argocd-application-controller
      automountServiceAccountToken: false
      containers: [{name: manager, image: example.invalid/argocd}]
YAML
pods_on worker argocd argocd-application-controller
pods_running_since 600 argocd argocd-application-controller
for name in argocd-server argocd-applicationset-controller; do
  works 600 argocd $name applications.argoproj.io appprojects.argoproj.io
done
object argocd AppProject.v1alpha1.argoproj.io default '{sourceRepos: ["*"], destinations: [{namespace: "*", server: "*"}]}'

# The engine.
works 600 kyverno kyverno-admission-controller clusterpolicies.kyverno.io
leading kyverno kyverno "$(pods_of kyverno kyverno-admission-controller)_a1b2"
works 600 kyverno kyverno-background-controller clusterpolicies.kyverno.io
cat >"$PLANE/engine.py" <<'PYTHON'
import base64, http.server, json, ssl, sys, threading

class Engine(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        review = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        asked = review.pop("request")
        meta = (asked.get("object") or {}).get("metadata", {})
        answer = review["response"] = {"uid": asked["uid"], "allowed": True}
        if meta.get("name") == "test-app" and not meta.get("finalizers"):
            patch = [{"op": "add", "path": "/metadata/finalizers", "value": ["resources-finalizer.argocd.argoproj.io"]}]
            answer.update(patchType="JSONPatch", patch=base64.b64encode(json.dumps(patch).encode()).decode())
        body = json.dumps(review).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass

server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Engine)
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(sys.argv[1] + "/server.crt", sys.argv[1] + "/server.key")
server.socket = context.wrap_socket(server.socket, server_side=True)
threading.Thread(target=server.serve_forever, daemon=True).start()
print(server.server_address[1], flush=True)
sys.stdin.read()
PYTHON
python3 "$PLANE/engine.py" "$PLANE/certs" <&3 >"$PLANE/engine" 2>"$PLANE/engine.log" &
wait_for 10 "the engine listens" test -s "$PLANE/engine"
# engine_webhook KIND NAME WEBHOOK URL OPERATIONS GROUP RESOURCES POLICY creates a webhook
# configuration as the engine does.
engine_webhook() {
  kubectl apply --field-manager=kyverno -f - <<YAML
apiVersion: admissionregistration.k8s.io/v1
kind: $1
metadata: {name: $2, labels: {webhook.kyverno.io/managed-by: kyverno}}
webhooks:
- name: $3
  admissionReviewVersions: [v1]
  sideEffects: NoneOnDryRun
  failurePolicy: $8
  timeoutSeconds: 10
  clientConfig: {url: "$4", caBundle: $(base64 -w0 "$PLANE/certs/ca.crt")}
  namespaceSelector: {matchExpressions: [{key: kubernetes.io/metadata.name, operator: NotIn, values: [kube-system]}, {key: kubernetes.io/metadata.name, operator: NotIn, values: [kyverno]}]}
  rules: [{apiGroups: ["$6"], apiVersions: ["*"], operations: [$5], resources: [$7], scope: "*"}]
YAML
}
engine_webhook MutatingWebhookConfiguration kyverno-resource-mutating-webhook-cfg mutate.kyverno.svc-fail \
  "https://127.0.0.1:$(cat "$PLANE/engine")/mutate/fail" "CREATE, UPDATE" argoproj.io applications Fail
engine_webhook ValidatingWebhookConfiguration kyverno-resource-validating-webhook-cfg validate.kyverno.svc-fail \
  "https://127.0.0.1:$BACKEND_PORT/validate/fail" "CREATE, UPDATE, DELETE" argoproj.io applications,appprojects Fail
engine_webhook MutatingWebhookConfiguration kyverno-policy-mutating-webhook-cfg mutate-policy.kyverno.svc \
  "https://127.0.0.1:$BACKEND_PORT/policymutate" "CREATE, UPDATE" kyverno.io clusterpolicies Fail
# policy NAME SPEC creates a ClusterPolicy.
policy() {
  kubectl apply -f - <<YAML
apiVersion: kyverno.io/v1
kind: ClusterPolicy
metadata: {name: $1, annotations: {pod-policies.kyverno.io/autogen-controllers: none, policies.kyverno.io/category: Other, policies.kyverno.io/subject: ArgoCD}}
spec: {background: true, validationFailureAction: Audit, rules: [$2]}
status: {ready: true, conditions: [{type: Ready, status: "True", reason: Succeeded, message: Ready, lastTransitionTime: "2024-10-01T08:00:00Z"}]}
YAML
}
policy argocd-policies '{name: add-resources-finalizer,
  match: {any: [{resources: {kinds: [argoproj.io/*/Application], names: [test-app]}}]},
  context: [{name: finalizers_array, variable: {jmesPath: request.object.metadata.finalizers, default: []}}],
  preconditions: {all: [{key: "{{ length(finalizers_array) }}", operator: Equals, value: 0}]},
  mutate: {patchStrategicMerge: {metadata: {finalizers: [resources-finalizer.argocd.argoproj.io]}}}}'
policy application-prevent-default-project '{name: default-project,
  match: {any: [{resources: {kinds: [Application]}}]},
  validate: {message: "The default project may not be used in an Application.", pattern: {spec: {project: "?*"}}}}'

app() {
  kubectl -n argocd apply -f - <<YAML
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: $1, ${2:-}}
spec:
  project: default
  destination: {namespace: $1, server: "https://kubernetes.default.svc"}
  source: {repoURL: "https://git.example.com/apps", path: $1, targetRevision: HEAD}
  syncPolicy: {automated: {}}
YAML
}
app guestbook 'finalizers: [resources-finalizer.argocd.argoproj.io]'
created() { app test-app && is resources-finalizer.argocd.argoproj.io '{.metadata.finalizers[0]}' application test-app -n argocd; }
wait_for 30 "the engine adds the finalizer" created
puts_back() {
  kubectl -n argocd patch application test-app --type=merge --dry-run=server -p '{"metadata":{"finalizers":null}}' -o yaml | grep -q resources-finalizer
}
wait_for 30 "the engine puts the finalizer back" puts_back
kubectl -n argocd patch application test-app --type=merge --field-manager=argocd-application-controller -p "status: {health: {status: Healthy}, sync: {status: Synced, revision: 4f1e},
  resources: [{kind: Service, version: v1, namespace: test-app, name: web, status: Synced, health: {status: Healthy}},
    {group: apps, kind: Deployment, version: v1, namespace: test-app, name: web, status: Synced, health: {status: Healthy}}]}"
kubectl -n argocd delete application test-app --wait=false
# What the application manages is gone, and the controller removes the finalizer.
kubectl -n argocd patch application test-app --type=merge --field-manager=argocd-application-controller -p "status: {reconciledAt: \"$(now)\", health: {status: Missing}, sync: {status: OutOfSync, revision: 4f1e},
  resources: [{kind: Service, version: v1, namespace: test-app, name: web, status: OutOfSync, health: {status: Missing}},
    {group: apps, kind: Deployment, version: v1, namespace: test-app, name: web, status: OutOfSync, health: {status: Missing}}]}"
kubectl -n argocd patch application test-app --type=merge --field-manager=argocd-application-controller -p 'metadata: {finalizers: null}'
late
aged 80 /registry/argoproj.io/applications/argocd/test-app application test-app -n argocd
kubectl create -f - <<YAML
apiVersion: v1
kind: Event
metadata: {generateName: "test-app.", namespace: argocd}
involvedObject: {apiVersion: argoproj.io/v1alpha1, kind: Application, namespace: argocd, name: test-app, uid: $(kubectl -n argocd get application test-app -o jsonpath='{.metadata.uid}')}
type: Normal
reason: ResourceUpdated
message: "Updated health status: Healthy -> Missing"
source: {component: argocd-application-controller}
count: 1
firstTimestamp: "$(date -u -d '-79 minutes' +%FT%TZ)"
lastTimestamp: "$(date -u -d '-79 minutes' +%FT%TZ)"
YAML
