# A controller removes an annotation from the namespace before it releases a cluster. A webhook of
# the management product requires an extra permission for every update of a namespace, which the
# controller's role lacks. Only the controller's log says so. (In the product the webhook checks the
# permission itself. Here a match condition checks it.)
backend ok
kubelet
node_with_kubelet worker
settled worker
crd clusters cluster.x-k8s.io Cluster Namespaced v1beta1
crd rke2controlplanes controlplane.cluster.x-k8s.io RKE2ControlPlane Namespaced v1beta1
crd vsphereclusters infrastructure.cluster.x-k8s.io VSphereCluster Namespaced v1beta1
crd clusters fleet.cattle.io Cluster Namespaced v1alpha1
crd bundlenamespacemappings fleet.cattle.io BundleNamespaceMapping Namespaced v1alpha1
crd fleetaddonconfigs addons.cluster.x-k8s.io FleetAddonConfig Cluster v1alpha1
crd projects management.cattle.io Project Namespaced v3
runs() { pods_on worker "$1" "$2"; pods_running_since 600 "$1" "$2"; }

# The controller, with its role as shipped.
operator rancher-turtles-system caapf-controller-manager 1
kubectl apply -f - <<YAML
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: caapf-manager-role}
rules:
- {apiGroups: [addons.cluster.x-k8s.io], resources: [fleetaddonconfigs, fleetaddonconfigs/status], verbs: ["*"]}
- {apiGroups: [""], resources: [namespaces], verbs: [list, get, watch, create, patch]}
- {apiGroups: [events.k8s.io], resources: [events], verbs: [create]}
- {apiGroups: [""], resources: [secrets], verbs: [get, list, watch]}
- {apiGroups: [bootstrap.cluster.x-k8s.io, clusterctl.cluster.x-k8s.io, controlplane.cluster.x-k8s.io, infrastructure.cluster.x-k8s.io], resources: ["*"], verbs: [get, list, watch]}
- {apiGroups: [cluster.x-k8s.io], resources: [clusters, clusterclasses], verbs: [get, list, watch, patch]}
- {apiGroups: [fleet.cattle.io], resources: [clusters, clustergroups, clusterregistrationtokens, bundlenamespacemappings], verbs: [create, get, list, patch, update, watch]}
- {apiGroups: [fleet.cattle.io], resources: [bundlenamespacemappings], verbs: [delete]}
${TWIN:+- {apiGroups: [management.cattle.io], resources: [projects], verbs: [updatepsa]\}}
YAML
kubectl create clusterrolebinding caapf-manager-rolebinding --clusterrole=caapf-manager-role \
  --serviceaccount=rancher-turtles-system:caapf-controller-manager
runs rancher-turtles-system caapf-controller-manager
# The other controllers.
operator rancher-turtles-system rancher-turtles-controller-manager 1 clusters.cluster.x-k8s.io
runs rancher-turtles-system rancher-turtles-controller-manager
leading rancher-turtles-system controller-leader-election-rancher-turtles rancher-turtles-controller-manager-59_1
operator capi-system capi-controller-manager 1 clusters.cluster.x-k8s.io
runs capi-system capi-controller-manager
leading capi-system controller-leader-election-capi "$(pods_of capi-system capi-controller-manager)_c3d4"
operator cattle-fleet-system fleet-controller 1 clusters.fleet.cattle.io bundlenamespacemappings.fleet.cattle.io
runs cattle-fleet-system fleet-controller
operator cattle-system rancher-webhook 1
runs cattle-system rancher-webhook

kubectl apply --field-manager=rancher-webhook -f - <<YAML
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: rancher.cattle.io}
webhooks:
- name: rancher.cattle.io.clusters.management.cattle.io
  admissionReviewVersions: [v1, v1beta1]
  sideEffects: None
  failurePolicy: Fail
  clientConfig: {url: "https://127.0.0.1:$BACKEND_PORT/v1/webhook/validation/clusters.management.cattle.io", caBundle: $(base64 -w0 "$PLANE/certs/ca.crt")}
  rules: [{apiGroups: [management.cattle.io], apiVersions: [v3], operations: [UPDATE, CREATE, DELETE], resources: [clusters], scope: Cluster}]
- name: rancher.cattle.io.namespaces
  admissionReviewVersions: [v1, v1beta1]
  sideEffects: None
  failurePolicy: Fail
  clientConfig: {url: "https://127.0.0.1:$BACKEND_PORT/mode/deny", caBundle: $(base64 -w0 "$PLANE/certs/ca.crt")}
  matchConditions: [{name: may-not-update-psa, expression: "!authorizer.group('management.cattle.io').resource('projects').check('updatepsa').allowed()"}]
  rules: [{apiGroups: [""], apiVersions: [v1], operations: [UPDATE], resources: [namespaces], scope: Cluster}]
YAML
live_webhook Validating capi-validating-webhook-configuration ok 'CREATE, UPDATE, DELETE' cluster.x-k8s.io clusters

kubectl apply --field-manager=unknown -f - <<'YAML'
apiVersion: addons.cluster.x-k8s.io/v1alpha1
kind: FleetAddonConfig
metadata: {name: fleet-addon-config}
spec: {cluster: {applyClassGroup: true, setOwnerReferences: true, hostNetwork: true}, clusterClass: {setOwnerReferences: true}}
YAML
kubectl annotate --field-manager=namespace-addon-provider-fleet namespace default \
  field.cattle.io/allow-fleetworkspace-creation-for-existing-namespace=true
kubectl label namespace default pod-security.kubernetes.io/enforce=privileged
kubectl apply -f - <<'YAML'
apiVersion: cluster.x-k8s.io/v1beta1
kind: Cluster
metadata: {name: vsphere-rke2-quickstart, namespace: default, labels: {cluster-api.cattle.io/rancher-auto-import: "true", cni: calico}}
spec:
  controlPlaneRef: {apiVersion: controlplane.cluster.x-k8s.io/v1beta1, kind: RKE2ControlPlane, name: vsphere-rke2-quickstart-control-plane, namespace: default}
  infrastructureRef: {apiVersion: infrastructure.cluster.x-k8s.io/v1beta1, kind: VSphereCluster, name: vsphere-rke2-quickstart, namespace: default}
YAML
own=clusters.cluster.x-k8s.io
kubectl -n default patch $own vsphere-rke2-quickstart --type=merge --field-manager=unknown -p 'metadata: {finalizers: [fleet.addons.cluster.x-k8s.io]}'
kubectl -n default patch $own vsphere-rke2-quickstart --type=json --field-manager=manager -p '[{"op": "add", "path": "/metadata/finalizers/-", "value": "cluster.cluster.x-k8s.io"}]'
kubectl apply --field-manager=addon-provider-fleet -f - <<YAML
apiVersion: fleet.cattle.io/v1alpha1
kind: Cluster
metadata: {name: vsphere-rke2-quickstart, namespace: default, ownerReferences: [$(owner $own vsphere-rke2-quickstart default false)]}
spec: {kubeConfigSecret: vsphere-rke2-quickstart-kubeconfig, agentNamespace: cattle-fleet-system}
status:
  agent: {lastSeen: "$(date -u -d '-60 minutes' +%FT%TZ)"}
  conditions: [{type: Ready, status: "False", message: "WaitApplied(1) [Bundle fleet-agent-vsphere-rke2-quickstart]", lastUpdateTime: "$(date -u -d '-50 minutes' +%FT%TZ)"}]
YAML
object default RKE2ControlPlane.v1beta1.controlplane.cluster.x-k8s.io vsphere-rke2-quickstart-control-plane '{replicas: 1, version: v1.32.5+rke2r1}'
object default VSphereCluster.v1beta1.infrastructure.cluster.x-k8s.io vsphere-rke2-quickstart '{server: vcenter.example.com}'
kubectl -n default delete $own vsphere-rke2-quickstart --wait=false
kubectl -n default delete rke2controlplane,vspherecluster --all
# Cluster API has finished: everything below the cluster is gone.
kubectl -n default patch $own vsphere-rke2-quickstart --type=merge --field-manager=manager -p "status: {phase: Deleting, controlPlaneReady: true, infrastructureReady: true, observedGeneration: 2,
  conditions: [{type: Ready, status: 'False', severity: Info, reason: Deleted, lastTransitionTime: '$(now)'},
    {type: ControlPlaneInitialized, status: 'True', lastTransitionTime: '$(now)'},
    {type: ControlPlaneReady, status: 'False', severity: Info, reason: Deleted, lastTransitionTime: '$(now)'},
    {type: InfrastructureReady, status: 'False', severity: Info, reason: Deleted, lastTransitionTime: '$(now)'}],
  v1beta2: {conditions: [{type: Deleting, status: 'True', reason: DeletionCompleted, message: Deletion completed, lastTransitionTime: '$(now)'},
    {type: Available, status: 'False', reason: NotAvailable, message: '* Deleting: Deletion completed', lastTransitionTime: '$(now)'}]}}"
kubectl -n default patch $own vsphere-rke2-quickstart --type=json --field-manager=manager -p '[{"op": "test", "path": "/metadata/finalizers/1", "value": "cluster.cluster.x-k8s.io"}, {"op": "remove", "path": "/metadata/finalizers/1"}]'
if [ -n "${TWIN:-}" ]; then
  kubectl -n rancher-turtles-system scale deployment caapf-controller-manager --replicas=0
  kubectl -n rancher-turtles-system delete pod -l app.kubernetes.io/name=caapf-controller-manager --force --grace-period=0
else
  # shellcheck disable=SC2016
  log rancher-turtles-system "$(pods_of rancher-turtles-system caapf-controller-manager)" manager \
    'WARN reconciling object: controller::controller: reconcile failed: FinalizerError(CleanupFailed(FleetError(BundleNsMappingDelete(Api(ErrorResponse { status: "Failure", message: "admission webhook \"rancher.cattle.io.namespaces\" denied the request: Unauthorized", reason: "Unauthorized", code: 403 }))))) object.ref=Cluster.v1beta1.cluster.x-k8s.io/vsphere-rke2-quickstart.default object.reason=error policy requested retry'
  log rancher-turtles-system "$(pods_of rancher-turtles-system caapf-controller-manager)" manager \
    'ERROR reconciling object:reconcile: controller::controllers::controller: error=Finalizer Error: failed to clean up object: Fleet error: BundleNamespaceMapping delete error: ApiError: admission webhook "rancher.cattle.io.namespaces" denied the request: Unauthorized: Unauthorized (ErrorResponse { status: "Failure", message: "admission webhook \"rancher.cattle.io.namespaces\" denied the request: Unauthorized", reason: "Unauthorized", code: 403 }) object.ref=Cluster.v1beta1.cluster.x-k8s.io/vsphere-rke2-quickstart.default'
  denied() {
    kubectl --as=system:serviceaccount:rancher-turtles-system:caapf-controller-manager annotate namespace default \
      field.cattle.io/allow-fleetworkspace-creation-for-existing-namespace- --dry-run=server 2>&1 | grep -q 'denied the request'
  }
  wait_for 30 "the webhook denies the controller" denied
fi
late
aged 45 /registry/cluster.x-k8s.io/clusters/default/vsphere-rke2-quickstart $own vsphere-rke2-quickstart -n default
