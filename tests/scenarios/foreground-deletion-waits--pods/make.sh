# A StatefulSet is deleted in the foreground, and its pod is on a node that does not report.
node alive Ready
node lost NotReady
kubectl create namespace shop
kubectl apply -f - <<YAML
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: web, namespace: shop}
spec:
  serviceName: web
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      nodeName: lost
      automountServiceAccountToken: false
      terminationGracePeriodSeconds: 1
      tolerations: [{operator: Exists}]
      containers: [{name: c, image: example.invalid/none}]
YAML
wait_for 20 "its pod is there" kubectl -n shop wait --for=jsonpath='{.spec.nodeName}'=lost pod -l app=web --timeout=1s
seen
foreground statefulset web -n shop
wait_for 20 "its pod is being deleted" \
  kubectl -n shop wait --for=jsonpath='{.metadata.deletionTimestamp}' pod -l app=web --timeout=1s
# Meanwhile its ControllerRevisions are created again and are not deleted.
sleep 65
