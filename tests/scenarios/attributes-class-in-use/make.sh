# A VolumeAttributesClass is deleted while a claim names it. A second claim names another class.
kubectl create namespace shop
kubectl apply -f - <<'YAML'
apiVersion: storage.k8s.io/v1
kind: VolumeAttributesClass
metadata: {name: silver}
driverName: disks.acme.io
parameters: {iops: "300"}
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: data, namespace: shop}
spec: {accessModes: [ReadWriteOnce], storageClassName: disks, volumeAttributesClassName: silver, resources: {requests: {storage: 1Gi}}}
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: logs, namespace: shop}
spec: {accessModes: [ReadWriteOnce], storageClassName: disks, volumeAttributesClassName: gold, resources: {requests: {storage: 1Gi}}}
YAML
wait_for 20 'the class is protected' is kubernetes.io/vac-protection '{.metadata.finalizers[0]}' volumeattributesclass silver
kubectl delete volumeattributesclass silver --wait=false
late
