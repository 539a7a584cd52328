# A deleted pod of a StatefulSet exists again under the same name.
kubectl create namespace shop
kubectl -n shop apply -f - <<'YAML'
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: db}
spec:
  serviceName: db
  selector: {matchLabels: {app: db}}
  template:
    metadata: {labels: {app: db}}
    spec:
      automountServiceAccountToken: false
      containers: [{name: c, image: example.invalid/none}]
YAML
wait_for 20 "the first pod" kubectl -n shop get pod db-0
first=$(kubectl -n shop get pod db-0 -o jsonpath='{.metadata.uid}')
sleep 8
kubectl -n shop delete pod db-0 --wait=false
again() { uid=$(kubectl -n shop get pod db-0 -o jsonpath='{.metadata.uid}') && test -n "$uid" && test "$uid" != "$first"; }
wait_for 20 "another pod" again
