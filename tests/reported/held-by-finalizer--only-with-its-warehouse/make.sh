# Somebody deleted the StatefulSet of a warehouse to have it created again. Its operator put a
# finalizer on it and removes it only when the warehouse is gone. The operator sees a StatefulSet
# that is up to date and does nothing. The pods keep running. Another warehouse is healthy.
node worker Ready
settled worker
crd starrocksclusters starrocks.com StarRocksCluster
crd starrockswarehouses starrocks.com StarRocksWarehouse
told starrocks-operator kube-starrocks-operator 1 'image: "starrocks/operator:v1.9.10", command: [/sroperator], args: [--leader-elect, --zap-encoder=console]' \
  starrocksclusters.starrocks.com starrockswarehouses.starrocks.com
kubectl apply -f - <<'YAML'
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: starrocks-operator-kube-starrocks-operator}
rules:
- {apiGroups: [apps], resources: [statefulsets, deployments], verbs: [create, delete, get, list, patch, update, watch]}
- {apiGroups: [autoscaling], resources: [horizontalpodautoscalers], verbs: [create, delete, get, list, patch, update, watch]}
- {apiGroups: [""], resources: [services], verbs: [create, delete, get, list, patch, update, watch]}
- {apiGroups: [""], resources: [configmaps, secrets, pods, endpoints], verbs: [get, list, watch]}
- {apiGroups: [starrocks.com], resources: [starrocksclusters, starrockswarehouses], verbs: [create, delete, get, list, patch, update, watch]}
- {apiGroups: [starrocks.com], resources: [starrocksclusters/status, starrockswarehouses/status], verbs: [get, patch, update]}
- {apiGroups: [starrocks.com], resources: [starrocksclusters/finalizers, starrockswarehouses/finalizers], verbs: [update]}
YAML
pods_on worker starrocks-operator kube-starrocks-operator
pods_running_since 5000 starrocks-operator kube-starrocks-operator
if [ -n "${TWIN:-}" ]; then
  lease starrocks-operator c6c79638.starrocks.com "$(pods_of starrocks-operator kube-starrocks-operator)_1" 5000
else
  leading starrocks-operator c6c79638.starrocks.com "$(pods_of starrocks-operator kube-starrocks-operator)_1"
fi
works 5000 keda keda-operator statefulsets.apps horizontalpodautoscalers.autoscaling
works 5000 reloader reloader statefulsets.apps deployments.apps
kubectl create namespace starrocks
# set_of NAME REPLICAS OWNER FINALIZER creates a StatefulSet with running pods, as the operator
# does.
set_of() {
  kubectl create --field-manager=sroperator -f - <<YAML
apiVersion: apps/v1
kind: StatefulSet
metadata:
  name: $1
  namespace: starrocks
  labels: {app.kubernetes.io/component: ${1##*-}, app.starrocks.ownerreference/name: ${1%-*}}
  ownerReferences: [{controller: true, $(sed 's/^{//' <<<"$3")]
  finalizers: [${4:-}]
spec:
  replicas: $2
  serviceName: $1-search
  podManagementPolicy: Parallel
  selector: {matchLabels: {app.kubernetes.io/name: $1}}
  template:
    metadata: {labels: {app.kubernetes.io/name: $1, app.starrocks.ownerreference/name: $1}}
    spec: {containers: [{name: ${1##*-}, image: "starrocks/${1##*-}-ubuntu:3.3.9"}]}
YAML
  pods_on worker starrocks "$1"
  pods_running_since 900 starrocks "$1"
}
object starrocks StarRocksCluster.v1.starrocks.com kube-starrocks '{starRocksFeSpec: {image: "starrocks/fe-ubuntu:3.3.9", replicas: 1}}'
says starrocks starrocksclusters kube-starrocks sroperator '{phase: running, starRocksFeStatus: {phase: running}}'
set_of kube-starrocks-fe 1 "$(owner starrocksclusters kube-starrocks starrocks)"
for name in wh1 wh2; do
  object starrocks StarRocksWarehouse.v1.starrocks.com $name '{starRocksCluster: kube-starrocks, template: {image: "starrocks/cn-ubuntu:3.3.9", replicas: 2}}'
  says starrocks starrockswarehouses $name sroperator "{phase: running, warehouseComponentStatus: {phase: running, serviceName: $name-warehouse-cn-service, resourceNames: [$name-warehouse-cn]}}"
  set_of $name-warehouse-cn 2 "$(owner starrockswarehouses $name starrocks)" starrocks.com.starrockswarehouse/protection
done
seen
if [ -n "${TWIN:-}" ]; then
  kubectl -n starrocks-operator scale deployment kube-starrocks-operator --replicas=0
  # Without a kubelet the pod does not end on its own.
  kubectl -n starrocks-operator delete pod --all --force --grace-period=0
  kubectl -n starrocks delete starrockswarehouse wh1
  going() { test -n "$(kubectl -n starrocks get statefulset wh1-warehouse-cn -o jsonpath='{.metadata.deletionTimestamp}')"; }
  wait_for 30 "its StatefulSet is being deleted" going
else
  kubectl -n starrocks delete statefulset wh1-warehouse-cn --wait=false
fi
late
aged 80 /registry/statefulsets/starrocks/wh1-warehouse-cn statefulset wh1-warehouse-cn -n starrocks
