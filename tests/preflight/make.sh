# Namespaces that would get stuck, each in its own way and twice where that is put to
# the test: one is deleted outright, the other in order. And some that would not.

# ends_pods: a stand-in for kubelets, which confirm at once that containers have ended.
ends_pods() {
  kubectl get pods -A -o jsonpath='{range .items[?(@.metadata.deletionTimestamp)]}{.metadata.namespace} {.metadata.name}{"\n"}{end}' |
    while read -r namespace name; do kubectl -n "$namespace" delete pod "$name" --force --grace-period=0; done
}

# releases HOME NAMESPACE TYPE: what an operator in HOME does while it has a pod. The pod is
# looked at last: in a namespace that is being deleted pods go before anything else.
releases() {
  for object in $(kubectl -n "$2" get "$3" -o jsonpath='{.items[?(@.metadata.deletionTimestamp)].metadata.name}'); do
    test -n "$(kubectl -n "$1" get pods -l app.kubernetes.io/instance -o jsonpath='{.items[?(@.status.phase=="Running")].metadata.name}')" || return 0
    kubectl -n "$2" patch "$3" "$object" --type=merge -p '{"metadata":{"finalizers":null}}'
  done
}

# self_contained NAMESPACE OPERATOR TYPE GROUP KIND: an operator beside its objects.
self_contained() {
  crd "$3" "$4" "$5"
  operator "$1" "$2" 1 "$3.$4"
  pods_ready "$1" "$2"
  object "$1" "$5.v1.$4" orders
  finalizer "$1" "$3.$4" orders "$4/backup" "$2"
  every 2 releases "$1" "$1" "$3.$4" <&3 >/dev/null 2>&1 &
}

# guards NAMESPACE: a live webhook in the namespace whose ConfigMaps it guards.
guards() {
  answering_service "$1" hook worker
  kubectl apply -f - <<YAML
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: $1}
webhooks:
- name: guard.$1.io
  admissionReviewVersions: [v1]
  sideEffects: None
  clientConfig:
    service: {namespace: $1, name: hook, path: /validate, port: $BACKEND_PORT}
    caBundle: $(base64 -w0 "$PLANE/certs/ca.crt")
  namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: $1}}
  rules: [{apiGroups: [""], apiVersions: ["*"], operations: [DELETE], resources: [configmaps]}]
YAML
}

node worker Ready
backend_mode ok

self_contained shop-a avocado-operator avocados avocado.io Avocado
self_contained shop-b banana-operator bananas banana.io Banana

# A healthy one: its operator lives elsewhere.
crd cherries cherry.io Cherry
operator central cherry-operator 1 cherries.cherry.io
pods_ready central cherry-operator
kubectl create namespace fine
object fine Cherry.v1.cherry.io orders
finalizer fine cherries.cherry.io orders cherry.io/backup cherry-operator
kubectl -n fine create configmap settings
every 2 releases central fine cherries.cherry.io <&3 >/dev/null 2>&1 &

guards guard-a
guards guard-b

for name in api-a api-b; do
  answering_service "$name" extension worker
  api_service v1 "$name.things.io" "$name" extension "$BACKEND_PORT"
  available True "v1.$name.things.io"
done

# A webhook that is about nothing in its namespace, and answers for nothing there.
kubectl create namespace decoy
kubectl -n decoy create configmap settings
kubectl apply -f - <<'YAML'
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: decoy}
webhooks:
- name: decoy.acme.io
  admissionReviewVersions: [v1]
  sideEffects: None
  clientConfig: {service: {namespace: decoy, name: hook}}
  rules: [{apiGroups: [apps], apiVersions: [v1], operations: [CREATE], resources: [controllerrevisions]}]
YAML

# A load balancer, and nobody who would take it down.
kubectl create namespace balanced
kubectl -n balanced create service loadbalancer web --tcp=80:80
kubectl -n balanced patch service web --type=merge -p '{"metadata":{"finalizers":["service.kubernetes.io/load-balancer-cleanup"]}}'
kubectl -n balanced patch service web --subresource=status --type=merge \
  -p '{"status":{"loadBalancer":{"ingress":[{"hostname":"a1b2.elb.example"}]}}}'

# A claim with data behind it, in use by a pod that goes with it.
kubectl create namespace disks
kubectl apply -f - <<'YAML'
apiVersion: v1
kind: PersistentVolume
metadata: {name: disk}
spec:
  capacity: {storage: 1Gi}
  accessModes: [ReadWriteOnce]
  persistentVolumeReclaimPolicy: Delete
  storageClassName: ""
  csi: {driver: disks.acme.io, volumeHandle: vol-1}
  claimRef: {namespace: disks, name: data}
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: data, namespace: disks}
spec: {accessModes: [ReadWriteOnce], storageClassName: "", volumeName: disk, resources: {requests: {storage: 1Gi}}}
---
apiVersion: v1
kind: Pod
metadata: {name: writer, namespace: disks}
spec:
  nodeName: worker
  automountServiceAccountToken: false
  containers: [{name: c, image: example.invalid/none}]
  volumes: [{name: data, persistentVolumeClaim: {claimName: data}}]
YAML
wait_for 20 "the claim is bound" is Bound '{.status.phase}' pvc data -n disks

# Somebody who may look at little.
kubectl create clusterrole view-some --verb=get,list --resource=namespaces,configmaps
kubectl create clusterrolebinding view-some --clusterrole=view-some --user=viewer

every 2 ends_pods <&3 >/dev/null 2>&1 &
sleep 1
