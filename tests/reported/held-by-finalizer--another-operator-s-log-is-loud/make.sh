# A dataset was created, and its namespace was deleted right after. The dataset operator keeps
# trying to create an internal object for it, which a terminating namespace does not accept, but it
# has no finalizer on the dataset. A second controller, built with a framework, has a finalizer on
# it and has not removed it. Its role lets it list and change datasets but not watch them.
kubelet
node_with_kubelet worker
settled worker
crd datasets com.ie.ibm.hpsys Dataset Namespaced v1alpha1
crd datasetsinternal com.ie.ibm.hpsys DatasetInternal Namespaced v1alpha1
for pair in applications:Application runs:Run workerpools:WorkerPool; do crd "${pair%:*}" codeflare.dev "${pair#*:}" Namespaced v1alpha1; done
# The dataset operator has every permission on datasets.
service_account dlf dataset-operator
kubectl apply -f - <<'YAML'
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: dataset-operator, labels: {app.kubernetes.io/managed-by: Helm}}
rules:
- {apiGroups: [""], resources: [pods, services, endpoints, persistentvolumeclaims, persistentvolumes, events, configmaps, secrets], verbs: ["*"]}
- {apiGroups: [apps], resources: [deployments, daemonsets, replicasets, statefulsets], verbs: ["*"]}
- {apiGroups: [com.ie.ibm.hpsys], resources: ["*", datasetsinternal, datasets], verbs: ["*"]}
- {apiGroups: [storage.k8s.io], resources: ["*"], verbs: ["*"]}
- {apiGroups: [admissionregistration.k8s.io], resources: [mutatingwebhookconfigurations], verbs: ["*"]}
- {apiGroups: [batch], resources: [jobs], verbs: [get, list, watch, create, update, patch, delete]}
YAML
kubectl create clusterrolebinding dataset-operator --clusterrole=dataset-operator --serviceaccount=dlf:dataset-operator
deployment dlf dataset-operator 1
pods_on worker dlf dataset-operator
pods_running_since 600 dlf dataset-operator
service dlf webhook-server 443 9443
works 600 dlf csi-attacher-s3
backend ok
live_webhook Mutating dlf-mutating-webhook-cfg ok CREATE '' pods

# The second controller, which handles runs.
service_account codeflare-system run-controller
kubectl apply -f - <<'YAML'
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: run-controller, labels: {app.kubernetes.io/managed-by: Helm}}
rules:
- {apiGroups: [""], resources: [secrets], verbs: [get, create]}
- {apiGroups: [""], resources: [configmaps], verbs: [get, create, list]}
- {apiGroups: [""], resources: [pods, pods/log], verbs: [get, create, list, delete, watch, patch]}
- {apiGroups: [""], resources: [events], verbs: [create, list, watch, patch]}
- {apiGroups: [com.ie.ibm.hpsys], resources: [datasets], verbs: [get, patch, create, list]}
- {apiGroups: [codeflare.dev], resources: [applications, runs, workerpools], verbs: [create, list, watch, patch, get]}
- {apiGroups: [apiextensions.k8s.io], resources: [customresourcedefinitions], verbs: [list, watch]}
- {apiGroups: [""], resources: [namespaces], verbs: [list, watch]}
YAML
kubectl create clusterrolebinding run-controller --clusterrole=run-controller --serviceaccount=codeflare-system:run-controller
deployment codeflare-system run-controller 1
kubectl -n codeflare-system label deployment run-controller app.kubernetes.io/part-of=codeflare.dev app.kubernetes.io/component=controller
pods_on worker codeflare-system run-controller
pods_running_since 600 codeflare-system run-controller
# A third controller of the same framework, unrelated to datasets.
crd nightlies batch.example Nightly
works 600 batch nightly-operator nightlies.batch.example

for name in codeflare-user codeflare-other; do kubectl create namespace $name; furnished $name; done
# dataset NAMESPACE NAME creates a dataset that both controllers have handled.
dataset() {
  kubectl apply -f - <<YAML
apiVersion: com.ie.ibm.hpsys/v1alpha1
kind: Dataset
metadata:
  name: $2
  namespace: $1
  annotations: {codeflare.dev/description: OpenROAD templates for max utilization demo}
  labels: {app.kubernetes.io/component: dataset, app.kubernetes.io/part-of: codeflare.dev}
spec: {local: {type: COS, bucket: $2, endpoint: "http://s3.codeflare-system.svc.cluster.local:9000", provision: "true", readonly: "false", secret-name: openroadmaxutilsecret, secret-namespace: $1}}
YAML
  finalizer "$1" datasets "$2" kopf.zalando.org/KopfFinalizerMarker kopf
  kubectl -n "$1" patch dataset "$2" --type=merge --field-manager=OpenAPI-Generator -p 'metadata: {annotations: {codeflare.dev/status: Ready}}'
  kubectl -n "$1" patch dataset "$2" --type=merge --field-manager=kopf -p "{\"metadata\": {\"annotations\": {\"kopf.zalando.org/last-handled-configuration\": \"{\\\"spec\\\":{\\\"local\\\":{\\\"bucket\\\":\\\"$2\\\",\\\"type\\\":\\\"COS\\\"}},\\\"metadata\\\":{\\\"labels\\\":{\\\"app.kubernetes.io/component\\\":\\\"dataset\\\"}}}\n\"}}}"
  says "$1" datasets "$2" manager "{caching: {status: Disabled, info: No DLF caching plugins are installed}, provision: {status: '', info: ''}}"
  object "$1" Application.v1alpha1.codeflare.dev openroad '{api: torch}'
}
dataset codeflare-user openroad-max-util-templates
dataset codeflare-other other
object codeflare-other DatasetInternal.v1alpha1.com.ie.ibm.hpsys other '{local: {type: COS, bucket: other}}'
finalizer codeflare-other datasetsinternal other dataset-finalizer manager
says codeflare-other datasets other manager '{provision: {status: OK}}'
kubectl delete namespace codeflare-user --wait=false
looked codeflare-user
wait_for 60 "the namespace controller has met the finalizer" \
  is True '{.status.conditions[?(@.type=="NamespaceFinalizersRemaining")].status}' namespace codeflare-user
late
aged 40 /registry/namespaces/codeflare-user namespace codeflare-user
aged 40 /registry/com.ie.ibm.hpsys/datasets/codeflare-user/openroad-max-util-templates dataset openroad-max-util-templates -n codeflare-user
for _ in 1 2 3; do
  log dlf "$(pods_of dlf dataset-operator)" manager \
    "$(date +%s).0$RANDOM	ERROR	controller.dataset	Reconciler error	{\"reconciler group\": \"com.ie.ibm.hpsys\", \"reconciler kind\": \"Dataset\", \"name\": \"openroad-max-util-templates\", \"namespace\": \"codeflare-user\", \"error\": \"datasetsinternal.com.ie.ibm.hpsys \\\"openroad-max-util-templates\\\" is forbidden: unable to create new content in namespace codeflare-user because it is being terminated\"}"
done
log codeflare-system "$(pods_of codeflare-system run-controller)" manager \
  "[$(date -u -d -45minutes '+%F %T,000')] kopf.objects         [INFO    ] [codeflare-user/openroad-max-util-templates] Handler 'create_dataset' succeeded."
