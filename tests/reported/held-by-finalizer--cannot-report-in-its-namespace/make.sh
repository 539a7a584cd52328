# A namespace with a cluster is being deleted. The add-on controller creates an Event there before
# it removes its finalizer from the cluster, but nothing can be created in a terminating namespace.
# Only its log says so. A cluster in another namespace is healthy.
node worker Ready
settled worker
crd clusters cluster.x-k8s.io Cluster Namespaced v1beta1
crd dockerclusters infrastructure.cluster.x-k8s.io DockerCluster Namespaced v1beta1
crd fleetaddonconfigs addons.cluster.x-k8s.io FleetAddonConfig Cluster v1alpha1
crd clustergroups fleet.cattle.io ClusterGroup Namespaced v1alpha1
works 600 capi-system capi-controller-manager clusters.cluster.x-k8s.io
leading capi-system controller-leader-election-capi capi-controller-manager-6d_1
works 600 capd-system capd-controller-manager dockerclusters.infrastructure.cluster.x-k8s.io
works 600 rancher-turtles-system rancher-turtles-controller-manager clusters.cluster.x-k8s.io
operator caapf-system caapf-controller-manager 1
kubectl apply -f - <<'YAML'
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: caapf-manager-role}
rules:
- {apiGroups: [addons.cluster.x-k8s.io], resources: [fleetaddonconfigs, fleetaddonconfigs/status], verbs: ["*"]}
- {apiGroups: [""], resources: [namespaces], verbs: [list, get, watch, create]}
- {apiGroups: [events.k8s.io], resources: [events], verbs: [create]}
- {apiGroups: [cluster.x-k8s.io], resources: [clusters, clusterclasses], verbs: [get, list, watch, patch]}
- {apiGroups: [fleet.cattle.io], resources: [clusters, clustergroups, clusterregistrationtokens, bundlenamespacemappings], verbs: [create, get, list, patch, update, watch]}
YAML
kubectl create clusterrolebinding caapf-manager-rolebinding --clusterrole=caapf-manager-role --serviceaccount=caapf-system:caapf-controller-manager
pods_on worker caapf-system caapf-controller-manager
pods_running_since 600 caapf-system caapf-controller-manager
kubectl apply -f - <<'YAML'
apiVersion: addons.cluster.x-k8s.io/v1alpha1
kind: FleetAddonConfig
metadata: {name: fleet-addon-config}
spec: {cluster: {patchResource: true, setOwnerReferences: true}, clusterClass: {patchResource: true}}
YAML
# cluster NAMESPACE NAME creates a cluster that Rancher imports.
cluster() {
  kubectl create namespace "$1"
  kubectl label namespace "$1" cluster-api.cattle.io/rancher-auto-import=true
  object "$1" Cluster.v1beta1.cluster.x-k8s.io "$2" "{clusterNetwork: {pods: {cidrBlocks: [192.168.0.0/16]}},
    infrastructureRef: {apiVersion: infrastructure.cluster.x-k8s.io/v1beta1, kind: DockerCluster, name: $2}}"
  kubectl -n "$1" apply -f - <<YAML
apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
kind: DockerCluster
metadata: {name: $2, labels: {cluster.x-k8s.io/cluster-name: $2}, ownerReferences: [$(owner clusters.cluster.x-k8s.io "$2" "$1")]}
spec: {controlPlaneEndpoint: {host: 172.18.0.3, port: 6443}}
status: {ready: true}
YAML
  finalizer "$1" dockerclusters "$2" dockercluster.infrastructure.cluster.x-k8s.io manager
  says "$1" clusters.cluster.x-k8s.io "$2" manager "{phase: Provisioned, controlPlaneReady: true, infrastructureReady: true,
    conditions: [$(condition Ready True), $(condition ControlPlaneReady True), $(condition InfrastructureReady True)]}"
  kubectl -n "$1" patch clusters.cluster.x-k8s.io "$2" --type=json --field-manager=unknown -p '[{"op": "add", "path": "/metadata/finalizers", "value": [fleet.addons.cluster.x-k8s.io]}]'
  kubectl -n "$1" patch clusters.cluster.x-k8s.io "$2" --type=json --field-manager=manager -p '[{"op": "add", "path": "/metadata/finalizers/-", "value": cluster.cluster.x-k8s.io}]'
}
cluster team-a cluster1
cluster team-b cluster2
kubectl create -f - <<YAML
apiVersion: events.k8s.io/v1
kind: Event
metadata: {name: cluster2.18a1f3c2b7d0e111, namespace: team-b}
regarding: {apiVersion: cluster.x-k8s.io/v1beta1, kind: Cluster, namespace: team-b, name: cluster2, uid: $(kubectl -n team-b get clusters.cluster.x-k8s.io cluster2 -o jsonpath='{.metadata.uid}')}
type: Normal
reason: Updated
action: Creating
note: Updated fleet object \`cluster2\` in \`team-b\`
reportingController: fleet-addon-controller
reportingInstance: fleet-addon-controller
eventTime: "$(date -u -d -50minutes +%FT%T.000000Z)"
YAML
furnished team-a
delete_namespace team-a
# The infrastructure is gone, and Cluster API has removed its own finalizer from the cluster.
kubectl -n team-a patch dockercluster cluster1 --type=merge --field-manager=manager -p 'metadata: {finalizers: null}'
wait_for 20 "the infrastructure is gone" gone dockerclusters cluster1 -n team-a
kubectl -n team-a patch clusters.cluster.x-k8s.io cluster1 --type=json --field-manager=manager -p '[{"op": "remove", "path": "/metadata/finalizers/1"}]'
says team-a clusters.cluster.x-k8s.io cluster1 manager "{phase: Deleting, controlPlaneReady: true, infrastructureReady: true,
  conditions: [$(condition Ready False Deleted), $(condition ControlPlaneReady False Deleted), $(condition InfrastructureReady False Deleted)]}"
[ -z "${TWIN:-}" ] || kubectl -n caapf-system scale deployment caapf-controller-manager --replicas=0
aged 40 /registry/cluster.x-k8s.io/clusters/team-a/cluster1 clusters.cluster.x-k8s.io cluster1 -n team-a
aged 40 /registry/namespaces/team-a namespace team-a
