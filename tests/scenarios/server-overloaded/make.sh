# The API server has no room for this user's lists of kinds of several groups.
kubectl create namespace shop
kubectl create clusterrolebinding bob --clusterrole=cluster-admin --user=bob
kubectl apply -f - <<'YAML'
apiVersion: flowcontrol.apiserver.k8s.io/v1
kind: PriorityLevelConfiguration
metadata: {name: jammed}
spec:
  type: Limited
  limited: {nominalConcurrencyShares: 0, borrowingLimitPercent: 0, limitResponse: {type: Reject}}
---
apiVersion: flowcontrol.apiserver.k8s.io/v1
kind: FlowSchema
metadata: {name: jammed}
spec:
  matchingPrecedence: 2
  priorityLevelConfiguration: {name: jammed}
  rules:
  - subjects: [{kind: User, user: {name: bob}}]
    resourceRules:
    - {apiGroups: ["", apps, batch, policy], verbs: [list], namespaces: ["*"],
       resources: [configmaps, secrets, services, deployments, daemonsets, jobs, poddisruptionbudgets]}
YAML
jammed() { ! kubectl --as=bob -n shop get configmaps --request-timeout=1s; }
wait_for 30 "there is no room" jammed
kubectl -n shop create configmap settings --from-literal=a=b
dead_webhook settings DELETE "" configmaps
delete_namespace shop
