# Like pod-node-not-ready, with a pod of a StatefulSet, which must not run twice.
node alive Ready
node silent NotReady
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
      nodeName: silent
      terminationGracePeriodSeconds: 1
      containers: [{name: c, image: example.invalid/none}]
YAML
wait_for 20 "its pod is there" kubectl -n shop get pod db-0
delete_namespace shop
