# A controller was undeployed with one command, together with its definition and its namespace. The
# definition waits for its objects in other namespaces, whose finalizer nothing removes. The
# workloads that they name are healthy.
node worker Ready
settled worker
crd sleepcycles core.rekuberate.io SleepCycle Namespaced v1alpha1
works 400 sleepcycles-system sleepcycles-controller-manager sleepcycles.core.rekuberate.io deployments.apps cronjobs.batch statefulsets.apps horizontalpodautoscalers.autoscaling
if [ -n "${TWIN:-}" ]; then
  lease sleepcycles-system 1ef73ccb.rekuberate.io "$(pods_of sleepcycles-system sleepcycles-controller-manager)_1" 2800
else
  lease sleepcycles-system 1ef73ccb.rekuberate.io "$(pods_of sleepcycles-system sleepcycles-controller-manager)_1"
fi
service_account argocd argocd-application-controller
kubectl create clusterrolebinding argocd-application-controller --clusterrole=cluster-admin --serviceaccount=argocd:argocd-application-controller
deployment argocd argocd-application-controller 1
pods_on worker argocd argocd-application-controller
pods_running_since 4000 argocd argocd-application-controller
works 4000 keda keda-operator deployments.apps horizontalpodautoscalers.autoscaling
kubectl create namespace app-1
kubectl create namespace app-2
for app in app-1 app-2; do
  object $app SleepCycle.v1alpha1.core.rekuberate.io sleepcycle-$app '{shutdown: "1/2 * * * *", shutdownTimeZone: Europe/Athens, wakeup: "*/2 * * * *", wakeupTimeZone: Europe/Dublin, enabled: true}'
  finalizer $app sleepcycles sleepcycle-$app sleepcycle.core.rekuberate.io/finalizer manager
  says $app sleepcycles sleepcycle-$app manager "{lastRunOperation: Watch, lastRunWasSuccessful: true, lastRunTime: \"$(now)\", nextScheduledShutdown: \"$(now)\", usedBy: {\"[Deployment] $app/whoami\": 1}}"
  service_account $app whoami
  deployment $app whoami 1
  kubectl -n $app label deployment whoami rekuberate.io/sleepcycle=sleepcycle-$app
  pods_on worker $app whoami
  pods_running_since 400 $app whoami
done
# Without a kubelet the pod does not end on its own.
ended() { kubectl -n sleepcycles-system delete pod --all --force --grace-period=0 --ignore-not-found; }
if [ -n "${TWIN:-}" ]; then
  kubectl -n sleepcycles-system scale deployment sleepcycles-controller-manager --replicas=0
  ended
  kubectl delete crd sleepcycles.core.rekuberate.io --wait=false
else
  kubectl delete namespace sleepcycles-system --wait=false
  kubectl delete crd sleepcycles.core.rekuberate.io --wait=false
  kubectl delete clusterrole,clusterrolebinding sleepcycles-system-sleepcycles-controller-manager
  ended
  wait_for 60 "its namespace is gone" gone namespace sleepcycles-system
fi
for app in app-1 app-2; do
  going() { test -n "$(kubectl -n "$1" get sleepcycle "sleepcycle-$1" -o jsonpath='{.metadata.deletionTimestamp}')"; }
  wait_for 30 "the object in $app is being deleted" going $app
done
late
for app in app-1 app-2; do
  aged 45 /registry/core.rekuberate.io/sleepcycles/$app/sleepcycle-$app sleepcycle sleepcycle-$app -n $app
done
aged 45 /registry/apiextensions.k8s.io/customresourcedefinitions/sleepcycles.core.rekuberate.io crd sleepcycles.core.rekuberate.io
