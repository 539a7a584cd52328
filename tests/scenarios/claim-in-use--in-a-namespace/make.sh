# A namespace is deleted after a claim in it. Its pod is on a dead node: while that pod
# is there nothing else is tried, not even the object whose operator is down.
node silent NotReady
crd databases acme.io Database
operator acme acme-operator 0 databases.acme.io
kubectl create namespace shop
object shop Database.v1.acme.io orders
finalizer shop database orders acme.io/backup acme-operator
kubectl -n shop apply -f - <<'YAML'
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: data}
spec:
  accessModes: [ReadWriteOnce]
  storageClassName: none
  resources: {requests: {storage: 1Gi}}
---
apiVersion: v1
kind: Pod
metadata: {name: db}
spec:
  nodeName: silent
  automountServiceAccountToken: false
  terminationGracePeriodSeconds: 1
  containers: [{name: c, image: example.invalid/none}]
  volumes: [{name: data, persistentVolumeClaim: {claimName: data}}]
YAML
kubectl -n shop delete pvc data --wait=false
delete_namespace shop
