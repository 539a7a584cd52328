# An operator removes entries from a store over HTTP, and the store's Service was uninstalled first.
# The operator gives no reason. It also works without a trace collector that was never installed.
# Another operator in the namespace calls a Service that exists.
node worker Ready
settled worker
crd playbooks ledger.example Playbook
crd drills ledger.example Drill
# calls MINUTES NAMESPACE NAME KIND VARIABLE=ADDRESS... creates an operator with these environment
# variables.
calls() {
  local minutes=$1 namespace=$2 name=$3 kind=$4
  shift 4
  operator "$namespace" "$name" 0 "$kind"
  kubectl -n "$namespace" set env deployment "$name" "$@"
  kubectl -n "$namespace" scale deployment "$name" --replicas=1
  pods_on worker "$namespace" "$name"
  pods_running_since "$minutes" "$namespace" "$name"
}
N=ledger-system
calls 600 $N registrar playbooks.ledger.example STORE_URL=http://archive-service:8080/v1 \
  OTEL_EXPORTER_OTLP_ENDPOINT=http://collector.traces.svc:4317
calls 600 $N drillmaster drills.ledger.example QUEUE_URL=http://queue.$N.svc:9000
kubectl -n $N create service clusterip queue --tcp=9000
[ -z "${TWIN:-}" ] || kubectl -n $N create service clusterip archive-service --tcp=8080
kubectl create namespace runbooks
for name in rollback restart; do
  kubectl -n runbooks apply --field-manager=helm -f - <<YAML
apiVersion: ledger.example/v1
kind: Playbook
metadata: {name: $name}
spec: {version: 1.0.0}
YAML
  kubectl -n runbooks patch playbooks.ledger.example $name --type=merge --field-manager=registrar \
    -p 'metadata: {finalizers: [playbook.ledger.example/catalog-cleanup]}'
done
kubectl -n runbooks delete playbooks.ledger.example rollback --wait=false
late
aged 95 /registry/ledger.example/playbooks/runbooks/rollback playbooks.ledger.example rollback -n runbooks
