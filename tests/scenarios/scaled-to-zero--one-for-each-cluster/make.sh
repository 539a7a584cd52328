# One account runs a watcher for each cluster, which a label and an argument name. The watcher of
# the target's cluster is at 0, and the one of another cluster runs.
node worker Ready
settled worker
crd summaries drift.example Summary
N=drift-system
service_account $N watcher
rights watcher summaries.drift.example
kubectl create clusterrolebinding watcher --clusterrole=watcher --serviceaccount=$N:watcher
# watcher NAME CLUSTER REPLICAS
watcher() {
  kubectl apply -f - <<YAML
apiVersion: apps/v1
kind: Deployment
metadata: {name: $1, namespace: $N, labels: {cluster-name: $2}}
spec:
  replicas: $3
  selector: {matchLabels: {app.kubernetes.io/name: $1}}
  template:
    metadata: {labels: {app.kubernetes.io/name: $1, cluster-name: $2}}
    spec:
      serviceAccountName: watcher
      automountServiceAccountToken: false
      containers: [{name: watcher, image: "example.invalid/watcher:v1", args: ["--cluster-name=$2"]}]
YAML
}
watcher w-8c41f2 east 1
watcher w-19ae07 west 0
pods_on worker $N w-8c41f2
pods_running_since 600 $N w-8c41f2
for cluster in east west; do
  kubectl create namespace $cluster
  kubectl -n $cluster apply --field-manager=sync -f - <<YAML
apiVersion: drift.example/v1
kind: Summary
metadata: {name: apps, labels: {drift.example/cluster-name: $cluster}}
YAML
  kubectl -n $cluster patch summaries.drift.example apps --type=merge --field-manager=watcher \
    -p 'metadata: {finalizers: [drift.example/unwatch]}'
done
kubectl -n "${ASKED:-west}" delete summaries.drift.example apps --wait=false
late
aged 95 "/registry/drift.example/summaries/${ASKED:-west}/apps" summaries.drift.example apps -n "${ASKED:-west}"
