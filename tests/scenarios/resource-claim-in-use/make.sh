# A claim for devices is reserved for a pod that is not being deleted.
node worker Ready
kubectl create namespace shop
kubectl -n shop apply -f - <<'YAML'
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: gpu, finalizers: [resource.kubernetes.io/delete-protection]}
spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu.acme.io}}]}}
---
apiVersion: v1
kind: Pod
metadata: {name: train}
spec:
  nodeName: worker
  automountServiceAccountToken: false
  resourceClaims: [{name: gpu, resourceClaimName: gpu}]
  containers: [{name: c, image: example.invalid/none, resources: {claims: [{name: gpu}]}}]
YAML
phase shop train Running
kubectl -n shop patch resourceclaim gpu --subresource=status --type=merge -p "status: {
  allocation: {devices: {results: [{request: gpu, driver: gpu.acme.io, pool: worker, device: gpu-0}]}},
  reservedFor: [{resource: pods, name: train, uid: $(kubectl -n shop get pod train -o jsonpath='{.metadata.uid}')}]}"
kubectl -n shop delete resourceclaim gpu --wait=false
late
