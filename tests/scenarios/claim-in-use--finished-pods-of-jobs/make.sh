# The pods of three finished Jobs still name a claim. A fourth one names another claim.
node worker Ready
kubectl create namespace shop
claim() {
  kubectl -n shop apply -f - <<YAML
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: $1}
spec: {accessModes: [ReadWriteOnce], storageClassName: none, resources: {requests: {storage: 1Gi}}}
YAML
}
user() {
  kubectl -n shop apply -f - <<YAML
apiVersion: v1
kind: Pod
metadata: {name: $1}
spec:
  nodeName: worker
  automountServiceAccountToken: false
  containers: [{name: c, image: example.invalid/none}]
  volumes: [{name: data, persistentVolumeClaim: {claimName: $2}}]
YAML
  phase shop "$1" "${PHASE:-Succeeded}"
}
claim data
claim other
user step-1 data
user step-2 data
user step-3 data
user step-4 other
kubectl -n shop delete pvc data --wait=false
late
