# The driver of a volume was uninstalled while a pod had the volume mounted.
kubectl create namespace shop
kubectl apply -f - <<'YAML'
apiVersion: storage.k8s.io/v1
kind: CSIDriver
metadata: {name: disk.acme.io}
spec: {attachRequired: false}
---
apiVersion: v1
kind: PersistentVolume
metadata: {name: disk}
spec:
  capacity: {storage: 1Gi}
  accessModes: [ReadWriteOnce]
  storageClassName: none
  csi: {driver: disk.acme.io, volumeHandle: disk}
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: data, namespace: shop}
spec: {storageClassName: none, accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
YAML
driver csi disk.acme.io
registered() { kubectl get csinode worker -o jsonpath='{.spec.drivers[*].name}' | grep -q disk.acme.io; }
wait_for 30 "the kubelet knows the driver" registered
real_pod shop web 5 "$(container obey 1), volumeMounts: [{name: data, mountPath: /data}]" \
  "volumes: [{name: data, persistentVolumeClaim: {claimName: data}}]"
runs shop web
kubectl -n drivers delete pod csi
unregistered() { ! registered; }
wait_for 30 "the kubelet has forgotten the driver" unregistered
kubectl -n shop get pod web -o jsonpath='{.metadata.uid}' >"$PLANE/uid"
kubectl -n shop delete pod web --wait=false
sleep 20
