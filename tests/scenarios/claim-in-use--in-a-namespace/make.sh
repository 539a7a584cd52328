# A claim is deleted, then its namespace. The pod that uses the claim is on a dead node. While that
# pod exists, the namespace controller deletes nothing else, not even the object whose operator is
# scaled to zero.
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
