# A claim waits for a pod, and the pod for a dead node. Another pod uses another claim.
node alive Ready
node silent NotReady
kubectl create namespace shop
for name in db web; do
  kubectl -n shop apply -f - <<YAML
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: $name}
spec:
  accessModes: [ReadWriteOnce]
  storageClassName: none
  resources: {requests: {storage: 1Gi}}
---
apiVersion: v1
kind: Pod
metadata: {name: $name}
spec:
  nodeName: $(test $name = db && echo silent || echo alive)
  automountServiceAccountToken: false
  terminationGracePeriodSeconds: 1
  containers: [{name: c, image: example.invalid/none}]
  volumes: [{name: data, persistentVolumeClaim: {claimName: $name}}]
YAML
done
kubectl -n shop delete pod db --wait=false
kubectl -n shop delete pvc db --wait=false
late
