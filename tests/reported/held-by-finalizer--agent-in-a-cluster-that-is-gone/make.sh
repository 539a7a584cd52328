# A fleet member was deleted together with its cluster, before it had left the fleet. The objects
# for that cluster have a finalizer of the agent that ran there, and the hub's agent waits until the
# member's namespace is gone. Another member is healthy. (The report does not say why the namespace
# was deleted before its member.)
node worker Ready
settled worker
crd memberclusters cluster.kubernetes-fleet.io MemberCluster Cluster v1beta1
crd internalmemberclusters cluster.kubernetes-fleet.io InternalMemberCluster Namespaced v1beta1
crd works placement.kubernetes-fleet.io Work Namespaced v1beta1
crd clusterresourceplacements placement.kubernetes-fleet.io ClusterResourcePlacement Cluster v1beta1
crd clusterresourcebindings placement.kubernetes-fleet.io ClusterResourceBinding Cluster v1beta1
# The hub's agent has every permission.
service_account fleet-system hub-agent-sa
kubectl create clusterrolebinding hub-agent-role-binding --clusterrole=cluster-admin --serviceaccount=fleet-system:hub-agent-sa
deployment fleet-system hub-agent 0
kubectl -n fleet-system patch deployment hub-agent --type=merge -p 'spec: {replicas: 1, template: {spec: {serviceAccountName: hub-agent-sa}}}'
pods_on worker fleet-system hub-agent
pods_running_since 600 fleet-system hub-agent
leading fleet-system 136224848560.hub.fleet.azure.com "$(pods_of fleet-system hub-agent)_2c8d"
works 600 fleet-system hub-net-controller-manager internalmemberclusters.cluster.kubernetes-fleet.io
backend ok
live_webhook Validating fleet-guard-rail-webhook-configuration ok '"CREATE", "UPDATE", "DELETE"' cluster.kubernetes-fleet.io memberclusters

kubectl apply -f - <<'YAML'
apiVersion: placement.kubernetes-fleet.io/v1beta1
kind: ClusterResourcePlacement
metadata: {name: crp-agents, finalizers: [kubernetes-fleet.io/crp-cleanup]}
spec: {policy: {placementType: PickAll}, resourceSelectors: [{group: "", version: v1, kind: Namespace, name: agents}]}
YAML
# member NAME SECONDS-SINCE-HEARTBEAT creates a member that has joined, with its objects applied.
member() {
  local ns=fleet-member-$1 beat
  beat=$(date -u -d "-$2 seconds" +%FT%TZ)
  kubectl apply -f - <<YAML
apiVersion: cluster.kubernetes-fleet.io/v1beta1
kind: MemberCluster
metadata: {name: $1}
spec: {identity: {kind: User, apiGroup: rbac.authorization.k8s.io, name: 8a3f1f4e-0b53-4d1f-9d0f-$1}, heartbeatPeriodSeconds: 15}
YAML
  kubectl patch membercluster "$1" --type=merge --field-manager=member-cluster-controller -p 'metadata: {finalizers: [kubernetes-fleet.io/membercluster-finalizer]}'
  kubectl apply --field-manager=member-cluster-controller -f - <<YAML
apiVersion: v1
kind: Namespace
metadata:
  name: $ns
  labels: {kubernetes-fleet.io/is-fleet-resource: "true"}
  ownerReferences: [{apiVersion: cluster.kubernetes-fleet.io/v1beta1, kind: MemberCluster, name: $1, uid: $(kubectl get membercluster "$1" -o jsonpath='{.metadata.uid}'), controller: true}]
YAML
  furnished "$ns"
  kubectl apply --field-manager=member-cluster-controller -f - <<YAML
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: {name: fleet-role-$1, namespace: $ns}
rules:
- {apiGroups: [cluster.kubernetes-fleet.io], resources: ["*"], verbs: ["*"]}
- {apiGroups: [placement.kubernetes-fleet.io], resources: ["*"], verbs: ["*"]}
- {apiGroups: [""], resources: [events], verbs: [get, list, update, patch, watch, create]}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: fleet-rolebinding-$1, namespace: $ns}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: fleet-role-$1}
subjects: [{kind: User, apiGroup: rbac.authorization.k8s.io, name: 8a3f1f4e-0b53-4d1f-9d0f-$1}]
---
apiVersion: cluster.kubernetes-fleet.io/v1beta1
kind: InternalMemberCluster
metadata: {name: $1, namespace: $ns}
spec: {state: Join, heartbeatPeriodSeconds: 15}
YAML
  local agents="[{type: MemberAgent, lastReceivedHeartbeat: \"$beat\", conditions: [$(condition Joined True InternalMemberClusterJoined), $(condition Healthy True InternalMemberClusterHealthy)]}]"
  says "$ns" internalmemberclusters "$1" memberagent "{agentStatus: $agents}"
  kubectl patch membercluster "$1" --type=merge --field-manager=hubagent -p "status: {agentStatus: $agents,
    conditions: [$(condition ReadyToJoin True MemberClusterReadyToJoin), $(condition Joined True MemberClusterJoined)]}"
  kubectl apply --field-manager=hubagent -f - <<YAML
apiVersion: placement.kubernetes-fleet.io/v1beta1
kind: ClusterResourceBinding
metadata: {name: crp-agents-$1-5f2c1a, labels: {kubernetes-fleet.io/parent-CRP: crp-agents}, finalizers: [kubernetes-fleet.io/work-cleanup]}
spec: {state: Bound, targetCluster: $1, resourceSnapshotName: crp-agents-0-snapshot, schedulingPolicySnapshotName: crp-agents-0}
status: {conditions: [{type: Applied, status: "True", reason: AllWorkHaveBeenApplied, observedGeneration: 1, lastTransitionTime: "2024-07-10T08:00:00Z"}]}
YAML
  local name
  for name in crp-agents-work crp-agents-configmap-77b0; do
    kubectl apply --field-manager=hubagent -f - <<YAML
apiVersion: placement.kubernetes-fleet.io/v1beta1
kind: Work
metadata:
  name: $name
  namespace: $ns
  labels: {kubernetes-fleet.io/parent-CRP: crp-agents, kubernetes-fleet.io/parent-resource-snapshot-index: "0", kubernetes-fleet.io/parent-resource-binding: crp-agents-$1-5f2c1a}
  ownerReferences: [$(owner clusterresourcebinding "crp-agents-$1-5f2c1a")]
spec: {workload: {manifests: [{apiVersion: v1, kind: Namespace, metadata: {name: agents}}]}}
YAML
    finalizer "$ns" works "$name" kubernetes-fleet.io/work-cleanup memberagent
    says "$ns" works "$name" memberagent "{conditions: [{type: Applied, status: 'True', reason: WorkAppliedCompleted, observedGeneration: 1, lastTransitionTime: '2024-07-10T08:00:00Z'},
      {type: Available, status: 'True', reason: WorkAvailable, observedGeneration: 1, lastTransitionTime: '2024-07-10T08:00:00Z'}]}"
  done
}
member development-feature-cluster 14400
member production 5

kubectl delete membercluster development-feature-cluster --wait=false
kubectl -n fleet-member-development-feature-cluster patch internalmembercluster development-feature-cluster --type=merge --field-manager=hubagent -p 'spec: {state: Leave}'
kubectl delete clusterresourcebinding crp-agents-development-feature-cluster-5f2c1a --wait=false
kubectl delete namespace fleet-member-development-feature-cluster --wait=false
looked fleet-member-development-feature-cluster
wait_for 60 "the namespace controller has met the finalizer" \
  is True '{.status.conditions[?(@.type=="NamespaceFinalizersRemaining")].status}' namespace fleet-member-development-feature-cluster
late
ns=fleet-member-development-feature-cluster
aged 200 /registry/cluster.kubernetes-fleet.io/memberclusters/development-feature-cluster membercluster development-feature-cluster
aged 198 /registry/placement.kubernetes-fleet.io/clusterresourcebindings/crp-agents-development-feature-cluster-5f2c1a clusterresourcebinding crp-agents-development-feature-cluster-5f2c1a
aged 190 /registry/namespaces/$ns namespace $ns
for name in crp-agents-work crp-agents-configmap-77b0; do
  aged 190 /registry/placement.kubernetes-fleet.io/works/$ns/$name work $name -n $ns
done
