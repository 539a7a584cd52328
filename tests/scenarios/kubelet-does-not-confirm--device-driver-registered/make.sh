# Like kubelet-does-not-confirm--device-driver-never-registered, but the driver is registered on the
# node and is not the cause.
TWIN="---
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {name: alive-fabric}
spec: {driver: fabric.gull.example, nodeName: alive, pool: {name: alive, generation: 1, resourceSliceCount: 1}, devices: [{name: dev-0}]}"
twin_of kubelet-does-not-confirm--device-driver-never-registered
