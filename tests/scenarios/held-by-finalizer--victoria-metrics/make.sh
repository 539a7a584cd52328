# An operator guards its own objects and those that it makes of them, and answers for
# a webhook: uninstalled, both are left behind.
crd vmagents operator.victoriametrics.com VMAgent Namespaced v1beta1
operator monitoring vm-operator 1 \
  vmagents.operator.victoriametrics.com configmaps. serviceaccounts. roles.rbac.authorization.k8s.io
guard() { finalizer monitoring "$1" "$2" apps.victoriametrics.com/finalizer manager; }
for agent in edge core; do
  object monitoring VMAgent.v1beta1.operator.victoriametrics.com $agent
  guard vmagents $agent
  kubectl -n monitoring create configmap vmagent-$agent
  kubectl -n monitoring create serviceaccount vmagent-$agent
  kubectl -n monitoring create role vmagent-$agent --verb=get --resource=pods
  for type in configmap serviceaccount role; do guard $type vmagent-$agent; done
done
# Uninstalled: the webhook's configuration is not the chart's, and stays.
dead_webhook vm-admission UPDATE operator.victoriametrics.com '"*"'
kubectl -n monitoring delete deployment,serviceaccount vm-operator
kubectl delete clusterrole,clusterrolebinding monitoring-vm-operator
delete_namespace monitoring
