# The node of a database has died. Its volume must not be used twice. Another node is healthy.
node alive Ready
kubectl create namespace shop
kubectl -n shop apply -f - <<YAML
apiVersion: v1
kind: PersistentVolume
metadata: {name: disk}
spec:
  capacity: {storage: 1Gi}
  accessModes: [ReadWriteOnce]
  storageClassName: none
  hostPath: {path: /run/disk, type: DirectoryOrCreate}
---
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
      terminationGracePeriodSeconds: 5
      containers: [{name: c, $(container obey 1), volumeMounts: [{name: data, mountPath: /data}]}]
  volumeClaimTemplates:
  - metadata: {name: data}
    spec: {storageClassName: none, accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
YAML
wait_for 20 "its pod is there" kubectl -n shop get pod db-0
kubectl create --raw /api/v1/namespaces/shop/pods/db-0/binding -f - <<'JSON'
{"apiVersion": "v1", "kind": "Binding", "metadata": {"name": "db-0", "namespace": "shop"},
 "target": {"apiVersion": "v1", "kind": "Node", "name": "worker"}}
JSON
runs shop db-0
killed kubelet
silent
kubectl -n shop get pod db-0 -o jsonpath='{.metadata.uid}' >"$PLANE/uid"
kubectl -n shop delete pod db-0 --wait=false
sleep 8
