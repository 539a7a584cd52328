# Namespaces that would get stuck, each in its own way, and some that would not. Some exist twice:
# the tests delete one directly and one in the advised order.

# ends_pods removes deleted pods at once, as kubelets do when the containers have ended.
ends_pods() {
  kubectl get pods -A -o jsonpath='{range .items[?(@.metadata.deletionTimestamp)]}{.metadata.namespace} {.metadata.name}{"\n"}{end}' |
    while read -r namespace name; do kubectl -n "$namespace" delete pod "$name" --force --grace-period=0; done
}

# releases HOME NAMESPACE TYPE removes finalizers as an operator in HOME does while it has a pod. It
# checks for the pod last, because in a namespace that is being deleted pods are deleted first.
releases() {
  for object in $(kubectl -n "$2" get "$3" -o jsonpath='{.items[?(@.metadata.deletionTimestamp)].metadata.name}'); do
    test -n "$(kubectl -n "$1" get pods -l app.kubernetes.io/instance -o jsonpath='{.items[?(@.status.phase=="Running")].metadata.name}')" || return 0
    kubectl -n "$2" patch "$3" "$object" --type=merge -p '{"metadata":{"finalizers":null}}'
  done
}

# self_contained NAMESPACE OPERATOR TYPE GROUP KIND installs an operator in the namespace of its
# objects.
self_contained() {
  crd "$3" "$4" "$5"
  operator "$1" "$2" 1 "$3.$4"
  pods_ready "$1" "$2"
  object "$1" "$5.v1.$4" orders
  finalizer "$1" "$3.$4" orders "$4/backup" "$2"
  every 2 releases "$1" "$1" "$3.$4" <&3 >/dev/null 2>&1 &
}

# guards NAMESPACE creates a working webhook in the namespace whose ConfigMaps it guards.
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

# A healthy namespace, whose operator is in another one.
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

# The dead webhook of this namespace is not called for anything in it.
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

# A load balancer without a controller that would delete it.
kubectl create namespace balanced
kubectl -n balanced create service loadbalancer web --tcp=80:80
kubectl -n balanced patch service web --type=merge -p '{"metadata":{"finalizers":["service.kubernetes.io/load-balancer-cleanup"]}}'
kubectl -n balanced patch service web --subresource=status --type=merge \
  -p '{"status":{"loadBalancer":{"ingress":[{"hostname":"a1b2.elb.example"}]}}}'

# A claim with data, used by a pod that is deleted with it.
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

# A user with few permissions.
kubectl create clusterrole view-some --verb=get,list --resource=namespaces,configmaps
kubectl create clusterrolebinding view-some --clusterrole=view-some --user=viewer

every 2 ends_pods <&3 >/dev/null 2>&1 &
sleep 1
