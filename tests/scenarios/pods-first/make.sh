# A finalizer holds a pod that its kubelet has finished. Nothing else in the namespace is being
# deleted yet, and its conditions look as if it were empty.
crd databases acme.io Database
node alive Ready
kubectl create namespace shop
kubectl -n shop create configmap settings --from-literal=a=b
kubectl -n shop apply -f - <<'YAML'
apiVersion: acme.io/v1
kind: Database
metadata: {name: orders}
YAML
pod shop web alive 1 acme.io/deregister
kubectl delete namespace shop --wait=false
looked shop
phase shop web Succeeded
kubectl -n shop delete pod web --grace-period=0 --force --wait=false
late
is "False False False False False" '{.status.conditions[*].status}' namespace shop
