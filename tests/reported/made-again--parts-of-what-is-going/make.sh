# Argo CD deletes an application in the foreground. Its custom resource waits for its parts, and the
# operator of the custom resource does not check whether it is being deleted: it creates each part
# again as soon as the garbage collector has deleted it. (The report names neither the operator nor
# its kind. A few lines of Python play the operator, which notice a deletion as quickly as it would.
# They also play the kubelet, which ends pods after their grace period.)
node worker Ready
settled worker
crd applications argoproj.io Application Namespaced v1alpha1
crd appprojects argoproj.io AppProject Namespaced v1alpha1
crd webservices platform.example.com WebService Namespaced v1alpha1
kubectl label crd applications.argoproj.io appprojects.argoproj.io app.kubernetes.io/part-of=argocd
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
works 600 argocd argocd-server applications.argoproj.io appprojects.argoproj.io
object argocd AppProject.v1alpha1.argoproj.io default '{sourceRepos: ["*"], destinations: [{namespace: "*", server: "*"}]}'

# The operator, which is not part of an application.
works 600 platform webservice-operator webservices.platform.example.com deployments.apps services. configmaps.
leading platform webservice.platform.example.com "$(pods_of platform webservice-operator)_3b7d"
# Another controller that may change these kinds.
works 600 mesh mesh-controller services. deployments.apps

kubectl create namespace shop
furnished shop
# app NAME creates an application with one custom resource.
app() {
  kubectl -n argocd apply -f - <<YAML
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: $1, finalizers: [resources-finalizer.argocd.argoproj.io]}
spec:
  project: default
  destination: {namespace: shop, server: "https://kubernetes.default.svc"}
  source: {repoURL: "https://git.example.com/charts", path: $1, targetRevision: HEAD}
  syncPolicy: {automated: {prune: true, selfHeal: true}}
YAML
  kubectl apply --field-manager=argocd-controller -f - <<YAML
apiVersion: platform.example.com/v1alpha1
kind: WebService
metadata: {name: $1, namespace: shop, labels: {app.kubernetes.io/instance: $1}}
spec: {image: "example.invalid/$1:2.1", replicas: 1, port: 8080}
YAML
  kubectl -n argocd patch application "$1" --type=merge --field-manager=argocd-application-controller -p "status: {reconciledAt: \"$(now)\", health: {status: Healthy}, sync: {status: Synced, revision: 4f1e},
    resources: [{group: platform.example.com, kind: WebService, version: v1alpha1, namespace: shop, name: $1, status: Synced}]}"
}
cat >"$PLANE/webservice.py" <<'PYTHON'
import datetime, http.client, json, sys, threading, time

proxy = ("127.0.0.1", int(sys.argv[1]))
NAMES = ["web", "billing"]

def ask(method, path, body=None, kind="application/json"):
    connection = http.client.HTTPConnection(*proxy)
    connection.request(method, path, json.dumps(body) if body is not None else None, {"Content-Type": kind})
    answer = connection.getresponse()
    return json.loads(answer.read() or "{}") if answer.status < 300 else None

def parts(name, owner):
    meta = lambda n: {"name": n, "namespace": "shop", "labels": {"app": name}, "ownerReferences": [owner]}
    def deployment(suffix, grace):
        labels = {"app": name, "part": suffix.strip("-") or "web"}
        template = {"metadata": {"labels": labels}, "spec": {"automountServiceAccountToken": False, "terminationGracePeriodSeconds": grace,
            "containers": [{"name": "web", "image": "example.invalid/%s:2.1" % name, "ports": [{"containerPort": 8080}]}]}}
        return ("/apis/apps/v1/namespaces/shop/deployments", {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": meta(name + suffix),
            "spec": {"replicas": 1, "selector": {"matchLabels": labels}, "template": template}})
    return [
        ("/api/v1/namespaces/shop/configmaps", {"apiVersion": "v1", "kind": "ConfigMap", "metadata": meta(name + "-config"), "data": {"port": "8080"}}),
        ("/api/v1/namespaces/shop/services", {"apiVersion": "v1", "kind": "Service", "metadata": meta(name), "spec": {"selector": {"app": name}, "ports": [{"port": 80, "targetPort": 8080}]}}),
        deployment("", 12), deployment("-worker", 17), deployment("-cache", 23),
    ]

def make(path, part):
    ask("POST", path + "?fieldManager=webservice-operator", part)

def watch(path, wanted):
    while True:
        for part in wanted.values():
            make(path, part)
        connection = http.client.HTTPConnection(*proxy)
        connection.request("GET", path + "?watch=true&labelSelector=app&timeoutSeconds=600")
        for line in connection.getresponse():
            event = json.loads(line)
            if event["type"] == "DELETED" and event["object"]["metadata"]["name"] in wanted:
                make(path, wanted[event["object"]["metadata"]["name"]])

def kubelet():
    while True:
        for pod in (ask("GET", "/api/v1/namespaces/shop/pods") or {"items": []})["items"]:
            path, meta = "/api/v1/namespaces/shop/pods/" + pod["metadata"]["name"], pod["metadata"]
            now = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
            if not pod["spec"].get("nodeName"):
                ask("POST", path + "/binding", {"apiVersion": "v1", "kind": "Binding", "metadata": {"name": meta["name"]}, "target": {"apiVersion": "v1", "kind": "Node", "name": "worker"}})
                ask("PATCH", path + "/status?fieldManager=kubelet", {"status": {"phase": "Running", "startTime": now, "conditions": [{"type": "Ready", "status": "True", "lastTransitionTime": now}],
                    "containerStatuses": [{"name": "web", "image": "x", "imageID": "x", "ready": True, "restartCount": 0, "state": {"running": {"startedAt": now}}}]}}, "application/merge-patch+json")
            elif meta.get("deletionTimestamp", "9") < now:
                ask("DELETE", path, {"apiVersion": "v1", "kind": "DeleteOptions", "gracePeriodSeconds": 0})
        time.sleep(0.5)

made = {}
for name in NAMES:
    service = ask("GET", "/apis/platform.example.com/v1alpha1/namespaces/shop/webservices/" + name)
    owner = {"apiVersion": service["apiVersion"], "kind": service["kind"], "name": name, "uid": service["metadata"]["uid"], "controller": True, "blockOwnerDeletion": True}
    for path, part in parts(name, owner):
        made.setdefault(path, {})[part["metadata"]["name"]] = part
for path, wanted in made.items():
    threading.Thread(target=watch, args=(path, wanted), daemon=True).start()
threading.Thread(target=kubelet, daemon=True).start()
sys.stdin.read()
PYTHON
for name in web billing; do
  app $name
  says shop webservices $name webservice-operator "{observedGeneration: 1, conditions: [$(condition Available True AsExpected 'All parts are up to date')]}"
done
command kubectl proxy --port=0 <&3 >"$PLANE/proxy" 2>&1 &
proxy=$!
wait_for 10 "the proxy serves" grep -q serve "$PLANE/proxy"
{ python3 "$PLANE/webservice.py" "$(sed 's/.*://' "$PLANE/proxy")" <&3 2>"$PLANE/webservice.log"; kill $proxy; } &
for name in web billing; do
  wait_for 60 "$name is made" is 1 '{.status.readyReplicas}' deployment $name -n shop
done
seen
for name in shop argocd platform; do born 900 /registry/namespaces/$name namespace $name; done
for name in applications.argoproj.io appprojects.argoproj.io webservices.platform.example.com; do
  born 900 /registry/apiextensions.k8s.io/customresourcedefinitions/$name crd $name
done
born 700 /registry/argoproj.io/applications/argocd/web application web -n argocd
born 700 /registry/platform.example.com/webservices/shop/web webservice web -n shop
first=$(kubectl -n shop get deployment web -o jsonpath='{.metadata.uid}')
kubectl -n argocd delete application web --wait=false
kubectl -n shop delete webservice web --cascade=foreground --wait=false
kubectl -n argocd patch application web --type=merge --field-manager=argocd-application-controller -p "status: {reconciledAt: \"$(now)\", health: {status: Progressing}, sync: {status: OutOfSync, revision: 4f1e},
  resources: [{group: platform.example.com, kind: WebService, version: v1alpha1, namespace: shop, name: web, status: OutOfSync, health: {status: Progressing, message: Pending deletion}}]}"
again() { uid=$(kubectl -n shop get deployment web -o jsonpath='{.metadata.uid}') && test -n "$uid" && test "$uid" != "$first"; }
wait_for 60 "another Deployment of the same name" again
aged 30 /registry/platform.example.com/webservices/shop/web webservice web -n shop
aged 30 /registry/argoproj.io/applications/argocd/web application web -n argocd
late
