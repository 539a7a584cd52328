# One release contains a kind, its controller and a console. The controller's role was reduced to
# reading. Its field manager is the common `manager`, and nothing of it is named like the kind.
node worker Ready
crd databases store.example Database
released_by ops acme crd databases.store.example
kubectl create namespace ops
# part NAME COMMAND REPLICAS creates a workload of the release.
part() {
  kubectl -n ops create serviceaccount "$1"
  kubectl apply -f - <<YAML
apiVersion: apps/v1
kind: Deployment
metadata: {name: $1, namespace: ops, $(helm ops acme)}
spec:
  replicas: $3
  selector: {matchLabels: {app.kubernetes.io/name: $1}}
  template:
    metadata: {labels: {app.kubernetes.io/name: $1}}
    spec:
      serviceAccountName: $1
      automountServiceAccountToken: false
      containers: [{name: c, command: [/$2], image: "example.invalid/$1"}]
YAML
}
part console serve 0
part engine manager 1
pods_ready ops engine
kubectl create clusterrole engine --verb=get,list,watch --resource=databases.store.example
kubectl create clusterrolebinding engine --clusterrole=engine --serviceaccount=ops:engine
kubectl create namespace shop
object shop Database.v1.store.example orders
finalizer shop databases.store.example orders store.example/backup manager
kubectl -n shop delete databases.store.example orders --wait=false
late
