# The driver of a device was uninstalled while a pod used the device.
kubectl create namespace shop
offer() {
  kubectl apply -f - <<'YAML'
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {name: worker-gpu.acme.io}
spec:
  driver: gpu.acme.io
  nodeName: worker
  pool: {name: worker, generation: 1, resourceSliceCount: 1}
  devices: [{name: gpu-0}]
YAML
}
driver dra gpu.acme.io
offer
kubectl -n shop apply -f - <<'YAML'
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: gpu, finalizers: [resource.kubernetes.io/delete-protection]}
spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu.acme.io}}]}}
YAML
real_pod shop train 5 "$(container obey 1), resources: {claims: [{name: gpu}]}" \
  "resourceClaims: [{name: gpu, resourceClaimName: gpu}]"
kubectl -n shop patch resourceclaim gpu --subresource=status --type=merge -p "status: {
  allocation: {devices: {results: [{request: gpu, driver: gpu.acme.io, pool: worker, device: gpu-0}]}},
  reservedFor: [{resource: pods, name: train, uid: $(kubectl -n shop get pod train -o jsonpath='{.metadata.uid}')}]}"
runs shop train
wait_for 20 "the kubelet remembers the claim" inside grep -q gpu.acme.io /var/lib/kubelet/dra_manager_state
kubectl -n drivers delete pod dra
wait_for 60 "the kubelet has taken out what it offered" gone resourceslice worker-gpu.acme.io
kubectl -n shop delete pod train --wait=false
sleep 20
