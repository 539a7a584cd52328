# A policy engine requires each pod, and everything that creates pods, to be selected by a network
# policy. An application is deleted in the foreground, and its network policy was deleted first, so
# the engine also refuses the garbage collector's update that removes the finalizer. The policy is
# an object of the engine. The API server knows only its webhook. (A few lines of Python play it,
# because the test backend only has its own messages. It is called by URL.)
crd constrainttemplates templates.gatekeeper.sh ConstraintTemplate Cluster
crd k8srequirenetworkpolicy constraints.gatekeeper.sh K8sRequireNetworkPolicy Cluster v1beta1
crd k8sdisallowedtags constraints.gatekeeper.sh K8sDisallowedTags Cluster v1beta1
crd configs config.gatekeeper.sh Config Namespaced v1alpha1
node worker Ready
settled worker
operator gatekeeper-system gatekeeper-controller-manager 1 constrainttemplates.templates.gatekeeper.sh k8srequirenetworkpolicy.constraints.gatekeeper.sh k8sdisallowedtags.constraints.gatekeeper.sh
operator gatekeeper-system gatekeeper-audit 1 k8srequirenetworkpolicy.constraints.gatekeeper.sh k8sdisallowedtags.constraints.gatekeeper.sh
for name in gatekeeper-controller-manager gatekeeper-audit; do
  pods_on worker gatekeeper-system $name
  pods_running_since 600 gatekeeper-system $name
done
service gatekeeper-system gatekeeper-webhook-service 443 8443
object gatekeeper-system Config.v1alpha1.config.gatekeeper.sh config '{sync: {syncOnly: [{group: networking.k8s.io, version: v1, kind: NetworkPolicy}]}}'
kubectl apply -f - <<'YAML'
apiVersion: templates.gatekeeper.sh/v1
kind: ConstraintTemplate
metadata: {name: k8srequirenetworkpolicy, labels: {app.kubernetes.io/managed-by: Helm}}
spec: {crd: {spec: {names: {kind: K8sRequireNetworkPolicy}}}, targets: [{target: admission.k8s.gatekeeper.sh, rego: "package k8sRequireNetworkPolicy"}]}
status: {created: true}
---
apiVersion: constraints.gatekeeper.sh/v1beta1
kind: K8sRequireNetworkPolicy
metadata: {name: elastisys-require-networkpolicy, labels: {app.kubernetes.io/managed-by: Helm}}
spec:
  enforcementAction: deny
  match:
    kinds:
    - {apiGroups: [""], kinds: [Pod, ReplicationController]}
    - {apiGroups: [apps], kinds: [Deployment, StatefulSet, DaemonSet, ReplicaSet]}
    - {apiGroups: [batch], kinds: [Job, CronJob]}
    excludedNamespaces: [kube-system, kube-public, kube-node-lease, calico-system]
    namespaceSelector: {matchExpressions: [{key: owner, operator: NotIn, values: [operator]}]}
status: {totalViolations: 0, auditTimestamp: "2024-04-05T08:00:00Z"}
---
apiVersion: constraints.gatekeeper.sh/v1beta1
kind: K8sDisallowedTags
metadata: {name: elastisys-reject-latest-tag, labels: {app.kubernetes.io/managed-by: Helm}}
spec: {enforcementAction: deny, match: {kinds: [{apiGroups: [""], kinds: [Pod]}]}, parameters: {tags: [latest]}}
status: {totalViolations: 0, auditTimestamp: "2024-04-05T08:00:00Z"}
YAML
kubectl label namespace gatekeeper-system owner=operator


cat >"$PLANE/gatekeeper.py" <<'PYTHON'
import http.server, json, ssl, subprocess, sys, threading

KINDS = ["Pod", "ReplicationController", "Deployment", "StatefulSet", "DaemonSet", "ReplicaSet", "Job"]

def untargeted(asked):
    made = asked.get("object") or {}
    if made.get("kind") not in KINDS or asked.get("subResource"):
        return False
    labels = made["metadata"].get("labels", {}) if made["kind"] == "Pod" else made["spec"]["template"]["metadata"].get("labels", {})
    found = subprocess.run(["kubectl", "get", "networkpolicies", "-n", asked["namespace"], "-o", "json"], capture_output=True, text=True)
    if found.returncode != 0:
        return False
    wanted = [policy["spec"].get("podSelector", {}).get("matchLabels", {}) for policy in json.loads(found.stdout)["items"]]
    return not any(all(labels.get(key) == value for key, value in want.items()) for want in wanted)

class Gatekeeper(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        review = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        asked = review.pop("request")
        refused = self.path.split("?")[0] == "/v1/admit" and untargeted(asked)
        answer = review["response"] = {"uid": asked["uid"], "allowed": not refused}
        if refused:
            answer["status"] = {"code": 403, "reason": "Forbidden", "message": "[elastisys-require-networkpolicy] No matching networkpolicy found. "
                "Elastisys Compliant Kubernetes requires that all pods are targeted by NetworkPolicies. Read more at "
                "https://elastisys.io/compliantkubernetes/user-guide/safeguards/enforce-networkpolicies/"}
        body = json.dumps(review).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass

server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Gatekeeper)
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(sys.argv[1] + "/server.crt", sys.argv[1] + "/server.key")
server.socket = context.wrap_socket(server.socket, server_side=True)
threading.Thread(target=server.serve_forever, daemon=True).start()
print(server.server_address[1], flush=True)
sys.stdin.read()
PYTHON
backend ok # its certificates
python3 "$PLANE/gatekeeper.py" "$PLANE/certs" <&3 >"$PLANE/gatekeeper" 2>"$PLANE/gatekeeper.log" &
wait_for 10 "the engine listens" test -s "$PLANE/gatekeeper"
# engine KIND NAME WEBHOOK PATH OPERATIONS creates a webhook configuration as the engine's chart
# does.
engine() {
  kubectl apply -f - <<YAML
apiVersion: admissionregistration.k8s.io/v1
kind: $1
metadata: {name: $2, labels: {app: gatekeeper, gatekeeper.sh/system: "yes", heritage: Helm, release: gatekeeper}}
webhooks:
- name: $3
  admissionReviewVersions: [v1, v1beta1]
  sideEffects: None
  failurePolicy: Fail
  matchPolicy: Exact
  timeoutSeconds: 30
  clientConfig: {url: "https://127.0.0.1:$(cat "$PLANE/gatekeeper")$4", caBundle: $(base64 -w0 "$PLANE/certs/ca.crt")}
  namespaceSelector:
    matchExpressions:
    - {key: admission.gatekeeper.sh/ignore, operator: DoesNotExist}
    - {key: kubernetes.io/metadata.name, operator: NotIn, values: [gatekeeper-system]}
    - {key: kubernetes.io/metadata.name, operator: NotIn, values: [kube-system, kube-public, kube-node-lease, calico-system]}
  rules:
  - {apiGroups: ["*"], apiVersions: ["*"], operations: [$5], resources: [cronjobs, jobs, pods, pods/attach, pods/binding, pods/eviction, pods/exec, daemonsets, deployments, deployments/scale,
      replicasets, replicasets/scale, replicationcontrollers, replicationcontrollers/scale, statefulsets, statefulsets/scale, services]}
YAML
}
for name in shop other; do
  kubectl create namespace $name
  furnished $name
  kubectl -n $name apply -f - <<'YAML'
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: web}
spec: {podSelector: {matchLabels: {app.kubernetes.io/name: web}}, ingress: [{ports: [{port: 8080}]}], policyTypes: [Ingress, Egress]}
YAML
done
engine ValidatingWebhookConfiguration gatekeeper-validating-webhook-configuration validation.gatekeeper.sh /v1/admit "CREATE, UPDATE"
engine MutatingWebhookConfiguration gatekeeper-mutating-webhook-configuration mutation.gatekeeper.sh /v1/mutate "CREATE, UPDATE"
heeded() { ! kubectl -n shop create deployment none --image=example.invalid/none --dry-run=server; }
wait_for 30 "the engine is heeded" heeded
for name in shop other; do
  kubectl -n $name apply -f - <<'YAML'
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, labels: {app.kubernetes.io/name: web}}
spec:
  replicas: 1
  selector: {matchLabels: {app.kubernetes.io/name: web}}
  template:
    metadata: {labels: {app.kubernetes.io/name: web}}
    spec:
      automountServiceAccountToken: false
      containers: [{name: web, image: "example.invalid/web:1.4", ports: [{containerPort: 8080}]}]
---
apiVersion: v1
kind: Service
metadata: {name: web}
spec: {selector: {app.kubernetes.io/name: web}, ports: [{port: 80, targetPort: 8080}]}
YAML
  pods_of $name web
done
rs=$(kubectl -n shop get replicasets -o jsonpath='{.items[0].metadata.name}')
born 900 /registry/namespaces/shop namespace shop
born 700 /registry/deployments/shop/web deployment web -n shop
born 700 "/registry/replicasets/shop/$rs" replicaset "$rs" -n shop
seen
kubectl -n shop delete networkpolicy web
kubectl -n shop delete deployment web --cascade=foreground --wait=false
no_pods() { ! kubectl -n shop get pods -o name | grep -q .; }
wait_for 60 "the pods are gone" no_pods
late
aged 35 "/registry/replicasets/shop/$rs" replicaset "$rs" -n shop
aged 35 /registry/deployments/shop/web deployment web -n shop
