# A device driver was uninstalled while a pod used one of its devices. The pod's containers have
# ended, but the kubelet cannot release the device, because the driver is no longer registered.
# Another driver runs there, and a pod with one of its devices is healthy.
node worker Ready
node other Ready
settled worker other
# agent NAMESPACE NAME creates a DaemonSet with a running pod on each node, as device drivers have.
agent() {
  service_account "$1" "$2"
  kubectl apply -f - <<YAML
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: $2, namespace: $1}
spec:
  selector: {matchLabels: {app.kubernetes.io/name: $2}}
  template:
    metadata: {labels: {app.kubernetes.io/name: $2}}
    spec:
      serviceAccountName: $2
      automountServiceAccountToken: false
      containers: [{name: manager, image: example.invalid/$2}]
YAML
  local pod
  sleep 2
  for pod in $(pods_of "$1" "$2"); do
    kubectl -n "$1" patch pod "$pod" --subresource=status --type=merge -p "status: {phase: Running, conditions: [$(condition Ready True)],
      containerStatuses: [{name: manager, image: x, imageID: x, ready: true, restartCount: 0, state: {running: {startedAt: \"$(date -u -d -10hours +%FT%TZ)\"}}}]}"
  done
}
agent nic-system nic-resource-driver
[ -z "${TWIN:-}" ] || agent dra-example-driver dra-example-driver-kubeletplugin
operator dra-example-driver dra-example-driver-webhook 1
pods_on other dra-example-driver dra-example-driver-webhook
pods_running_since 600 dra-example-driver dra-example-driver-webhook
kubectl create namespace gpu-test
kubectl create namespace net-test
for of in gpu.example.com nic.example.net; do
  kubectl apply -f - <<YAML
apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata: {name: $of}
spec: {selectors: [{cel: {expression: 'device.driver == "$of"'}}]}
YAML
done
kubectl apply -f - <<'YAML'
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {name: worker-nic.example.net}
spec: {driver: nic.example.net, nodeName: worker, pool: {name: worker, generation: 1, resourceSliceCount: 1}, devices: [{name: dev-0}]}
YAML
[ -z "${TWIN:-}" ] || kubectl apply -f - <<'YAML'
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {name: worker-gpu.example.com}
spec: {driver: gpu.example.com, nodeName: worker, pool: {name: worker, generation: 1, resourceSliceCount: 1}, devices: [{name: dev-0}]}
YAML
# with_device NAMESPACE POD CLASS creates a running pod with a device of this class.
with_device() {
  kubectl -n "$1" apply -f - <<YAML
apiVersion: resource.k8s.io/v1
kind: ResourceClaimTemplate
metadata: {name: single}
spec: {spec: {devices: {requests: [{name: device, exactly: {deviceClassName: $3}}]}}}
---
apiVersion: v1
kind: Pod
metadata: {name: $2}
spec:
  nodeName: worker
  automountServiceAccountToken: false
  terminationGracePeriodSeconds: 30
  resourceClaims: [{name: device, resourceClaimTemplateName: single}]
  containers: [{name: ctr0, image: example.invalid/none, resources: {claims: [{name: device}]}}]
YAML
  made() { test -n "$(kubectl -n "$1" get resourceclaims -o name)"; }
  wait_for 30 "a claim for $2" made "$1"
  local claim
  claim=$(kubectl -n "$1" get resourceclaims -o jsonpath='{.items[0].metadata.name}')
  kubectl -n "$1" patch resourceclaim "$claim" --type=merge -p 'metadata: {finalizers: [resource.kubernetes.io/delete-protection]}'
  kubectl -n "$1" patch resourceclaim "$claim" --subresource=status --type=merge -p "status: {
    allocation: {devices: {results: [{request: device, driver: $3, pool: worker, device: dev-0}]},
      nodeSelector: {nodeSelectorTerms: [{matchFields: [{key: metadata.name, operator: In, values: [worker]}]}]}},
    reservedFor: [{resource: pods, name: $2, uid: $(kubectl -n "$1" get pod "$2" -o jsonpath='{.metadata.uid}')}]}"
  kubectl -n "$1" patch pod "$2" --subresource=status --type=merge -p "status: {phase: Running,
    conditions: [$(condition Ready True)],
    containerStatuses: [{name: ctr0, image: x, imageID: x, ready: true, restartCount: 0, state: {running: {startedAt: \"$(now)\"}}}]}"
}
with_device gpu-test pod0 gpu.example.com
with_device net-test pod0 nic.example.net
kubectl -n gpu-test delete pod pod0 --wait=false
kubectl -n gpu-test patch pod pod0 --subresource=status --type=merge -p "status: {conditions: [$(condition Ready False PodFailed)],
  containerStatuses: [{name: ctr0, image: x, imageID: x, ready: false, restartCount: 0,
    state: {terminated: {exitCode: 137, reason: Error, startedAt: \"$(now)\", finishedAt: \"$(now)\"}}}]}"
aged 45 /registry/pods/gpu-test/pod0 pod pod0 -n gpu-test
