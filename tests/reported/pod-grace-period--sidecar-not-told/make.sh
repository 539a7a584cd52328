# A pod was deleted while it was starting: its sidecar proxy, which ends after the other containers,
# never became ready, so the containers after it never started. The kubelet waits for these
# containers before it tells the proxy to end. The grace period of ten minutes ends that. The
# Deployment's new pod is healthy.
node gke-delivery-0 Ready
node worker Ready
settled gke-delivery-0 worker
works 600 istio-system istiod
kubectl create namespace vds-kee-importer
kubectl label namespace vds-kee-importer istio-injection=enabled
kubectl -n vds-kee-importer apply -f - <<'YAML'
apiVersion: apps/v1
kind: Deployment
metadata: {name: vds-kee-importer}
spec:
  replicas: 1
  strategy: {type: RollingUpdate, rollingUpdate: {maxUnavailable: 0, maxSurge: 1}}
  selector: {matchLabels: {app.kubernetes.io/name: vds-kee-importer}}
  template:
    metadata:
      labels: {app.kubernetes.io/name: vds-kee-importer}
      annotations: {sidecar.istio.io/inject: "true", prometheus.io/scrape: "true"}
    spec:
      automountServiceAccountToken: false
      terminationGracePeriodSeconds: 600
      initContainers:
      - {name: istio-validation, image: example.invalid/proxyv2}
      - name: istio-proxy
        image: example.invalid/proxyv2
        restartPolicy: Always
        readinessProbe: {httpGet: {path: /healthz/ready, port: 15021}, periodSeconds: 15}
        startupProbe: {httpGet: {path: /healthz/ready, port: 15021}, failureThreshold: 600, periodSeconds: 1}
        lifecycle: {preStop: {exec: {command: [pilot-agent, request, --debug-port=15020, POST, drain]}}}
      - {name: fetch-secrets, image: example.invalid/init}
      containers:
      - {name: app, image: example.invalid/app}
YAML
# The first revision's pod, with the name from the report. Of two pods the ReplicaSet keeps the one
# that has a node.
extra=$(pods_of vds-kee-importer vds-kee-importer)
old=vds-kee-importer-65fb8f747-bgwrc
kubectl -n vds-kee-importer get pod "$extra" -o json |
  sed -E "s/\"name\": \"$extra\"/\"name\": \"$old\"/; /\"(uid|resourceVersion|creationTimestamp)\": \"[^\"]*\",?\$/{/ownerRef/!{/^        \"/d}}; s/\"spec\": \{/&\"nodeName\": \"gke-delivery-0\",/" |
  kubectl create --field-manager=kube-controller-manager -f -
wait_for 30 "only $old is left" gone pod "$extra" -n vds-kee-importer
started=$(date -u -d '-9 minutes' +%FT%TZ)
kubectl -n vds-kee-importer patch pod "$old" --subresource=status --type=merge --field-manager=kubelet -p "status: {phase: Pending, startTime: \"$started\",
  conditions: [{type: PodScheduled, status: 'True', lastTransitionTime: '$started'}, {type: PodReadyToStartContainers, status: 'True', lastTransitionTime: '$started'},
    {type: Initialized, status: 'False', reason: ContainersNotInitialized, message: 'containers with incomplete status: [istio-proxy fetch-secrets]', lastTransitionTime: '$started'},
    {type: Ready, status: 'False', reason: ContainersNotReady, message: 'containers with unready status: [app]', lastTransitionTime: '$started'},
    {type: ContainersReady, status: 'False', reason: ContainersNotReady, message: 'containers with unready status: [app]', lastTransitionTime: '$started'}],
  initContainerStatuses: [
    {name: istio-validation, image: x, imageID: x, ready: true, started: false, restartCount: 0, state: {terminated: {exitCode: 0, reason: Completed, startedAt: \"$started\", finishedAt: \"$started\"}}},
    {name: istio-proxy, image: x, imageID: x, ready: false, started: false, restartCount: 0, state: {running: {startedAt: \"$started\"}}},
    {name: fetch-secrets, image: x, imageID: '', ready: false, started: false, restartCount: 0, state: {waiting: {reason: PodInitializing}}}],
  containerStatuses: [{name: app, image: x, imageID: '', ready: false, started: false, restartCount: 0, state: {waiting: {reason: PodInitializing}}}]}"
# A new revision replaces it.
kubectl -n vds-kee-importer set image deployment/vds-kee-importer app=example.invalid/app:2
newer() { test "$(kubectl -n vds-kee-importer get pods -o name | wc -l)" = 2; }
wait_for 30 "the pod of the new revision" newer
new=$(kubectl -n vds-kee-importer get pods -o name | grep -v "$old" | sed 's,.*/,,')
kubectl create --raw "/api/v1/namespaces/vds-kee-importer/pods/$new/binding" -f - <<JSON
{"apiVersion": "v1", "kind": "Binding", "metadata": {"name": "$new", "namespace": "vds-kee-importer"}, "target": {"apiVersion": "v1", "kind": "Node", "name": "worker"}}
JSON
kubectl -n vds-kee-importer patch pod "$new" --subresource=status --type=merge --field-manager=kubelet -p "status: {phase: Running, startTime: \"$started\",
  conditions: [$(condition PodScheduled True), $(condition Initialized True), $(condition Ready True), $(condition ContainersReady True)],
  initContainerStatuses: [
    {name: istio-validation, image: x, imageID: x, ready: true, started: false, restartCount: 0, state: {terminated: {exitCode: 0, reason: Completed, startedAt: \"$started\", finishedAt: \"$started\"}}},
    {name: istio-proxy, image: x, imageID: x, ready: true, started: true, restartCount: 0, state: {running: {startedAt: \"$started\"}}},
    {name: fetch-secrets, image: x, imageID: x, ready: true, started: false, restartCount: 0, state: {terminated: {exitCode: 0, reason: Completed, startedAt: \"$started\", finishedAt: \"$started\"}}}],
  containerStatuses: [{name: app, image: x, imageID: x, ready: true, started: true, restartCount: 0, state: {running: {startedAt: \"$started\"}}}]}"
replaced() { test -n "$(kubectl -n vds-kee-importer get pod "$old" -o jsonpath='{.metadata.deletionTimestamp}')"; }
wait_for 30 "$old is deleted" replaced
# said TYPE REASON MESSAGE COUNT MINUTES-AGO creates an event of the kubelet about the old pod.
said() {
  kubectl create -f - <<YAML
apiVersion: v1
kind: Event
metadata: {generateName: "$old.", namespace: vds-kee-importer}
involvedObject: {apiVersion: v1, kind: Pod, namespace: vds-kee-importer, name: $old, uid: $(kubectl -n vds-kee-importer get pod "$old" -o jsonpath='{.metadata.uid}'), fieldPath: "spec.initContainers{istio-proxy}"}
type: $1
reason: $2
message: "$3"
source: {component: kubelet, host: gke-delivery-0}
count: $4
firstTimestamp: "$started"
lastTimestamp: "$(date -u -d "-$5 minutes" +%FT%TZ)"
YAML
}
said Normal Started 'Started container istio-proxy' 1 9
said Warning Unhealthy 'Startup probe failed: Get \"http://10.185.144.28:15021/healthz/ready\": dial tcp 10.185.144.28:15021: connect: connection refused' 290 0
late
