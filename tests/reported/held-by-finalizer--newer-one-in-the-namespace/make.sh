# A namespace has two objects of a kind that allows only one, and the older one is being deleted, as
# its condition advises. The operator skips every object that is not the newest before it checks for
# a deletion, so it never removes its finalizer. The newer object is healthy and is to stay.
node worker Ready
settled worker
# put KEY TYPE NAME SED [-n NAMESPACE] changes an object in etcd.
put() {
  local key=$1 type=$2 name=$3 change=$4 object
  shift 4
  object=$(kubectl get "$type" "$name" "$@" -o json --show-managed-fields)
  object=$(sed -E "$change; /\"resourceVersion\"/d" <<<"$object")
  "$CONTROL_PLANE" etcd-put "$key" "$object" --endpoint "$ETCD_ENDPOINT"
}
ago() { date -u -d "-$1 minutes" +%FT%TZ; }
crd dash0monitorings operator.dash0.com Dash0Monitoring Namespaced v1alpha1
crd dash0operatorconfigurations operator.dash0.com Dash0OperatorConfiguration Cluster v1alpha1
crd instrumentations opentelemetry.io Instrumentation Namespaced v1alpha1
works 15000 dash0-system dash0-operator-controller dash0monitorings.operator.dash0.com dash0operatorconfigurations.operator.dash0.com deployments.apps
leading dash0-system 5ae7ac41.dash0.com "$(pods_of dash0-system dash0-operator-controller)_1"
agents dash0-system dash0-operator-opentelemetry-collector-agent-daemonset pods.
agents_ready dash0-system dash0-operator-opentelemetry-collector-agent-daemonset 1
works 15000 opentelemetry-operator-system opentelemetry-operator instrumentations.opentelemetry.io deployments.apps
backend ok
live_webhook Validating dash0-operator-monitoring-validator ok '"CREATE", "UPDATE"' operator.dash0.com dash0monitorings
object "" Dash0OperatorConfiguration.v1alpha1.operator.dash0.com dash0-operator-configuration '{export: {dash0: {endpoint: "ingress.example.com:4317"}}}'
active="{type: Available, status: 'True', reason: ReconcileFinished, message: 'Dash0 monitoring is active in this namespace now.', lastTransitionTime: '$(now)'}"
# monitoring NAMESPACE NAME creates the object that makes the operator handle a namespace.
monitoring() {
  object "$1" Dash0Monitoring.v1alpha1.operator.dash0.com "$2" '{instrumentWorkloads: all}'
  finalizer "$1" dash0monitorings "$2" operator.dash0.com/dash0-monitoring-finalizer manager
  says "$1" dash0monitorings "$2" manager "{previousInstrumentWorkloads: all, conditions: [$active]}"
}
kubectl create namespace shop
kubectl create namespace blog
service_account shop web
deployment shop web 1
pods_on worker shop web
pods_running_since 800 shop web
kubectl -n shop label deployment web dash0.com/instrumented=true
monitoring blog dash0-monitoring-resource
monitoring shop dash0-monitoring-resource
monitoring shop dash0-monitoring
why="reason: NewerResourceIsPresent, lastTransitionTime: '$(now)', message: 'There is a more recently created Dash0 monitoring resource in this namespace, please remove all but one resource instance.'"
says shop dash0monitorings dash0-monitoring-resource manager "{previousInstrumentWorkloads: all, conditions: [{type: Available, status: 'False', $why}, {type: Degraded, status: 'True', $why}]}"
definition=/registry/apiextensions.k8s.io/customresourcedefinitions/dash0monitorings.operator.dash0.com
created='s/("creationTimestamp": )"[^"]*"/\1'
put $definition crd dash0monitorings.operator.dash0.com "$created\"$(ago 20000)\"/"
put /registry/namespaces/shop namespace shop "$created\"$(ago 18000)\"/"
key=/registry/operator.dash0.com/dash0monitorings/shop
put $key/dash0-monitoring-resource dash0monitoring dash0-monitoring-resource "$created\"$(ago 14000)\"/" -n shop
put $key/dash0-monitoring dash0monitoring dash0-monitoring "$created\"$(ago 190)\"/; s/(\"(time|lastTransitionTime)\": )\"[^\"]*\"/\\1\"$(ago 190)\"/" -n shop
seen
kubectl -n shop delete dash0monitoring dash0-monitoring-resource --wait=false
late
aged 120 $key/dash0-monitoring-resource dash0monitoring dash0-monitoring-resource -n shop
# Its status was written when the newer object was created, and its finalizer long before.
put $key/dash0-monitoring-resource dash0monitoring dash0-monitoring-resource \
  "s/(\"(time|lastTransitionTime)\": )\"[^\"]*\"/\\1\"$(ago 189)\"/" -n shop
