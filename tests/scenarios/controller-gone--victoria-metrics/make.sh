# An operator puts finalizers on its own objects and on those that it creates for them, and serves a
# webhook. Uninstalling it leaves both behind.
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
# Uninstall the operator. The webhook configuration is not part of the chart and remains.
dead_webhook vm-admission UPDATE operator.victoriametrics.com '"*"'
kubectl -n monitoring delete deployment,serviceaccount vm-operator
kubectl delete clusterrole,clusterrolebinding monitoring-vm-operator
delete_namespace monitoring
