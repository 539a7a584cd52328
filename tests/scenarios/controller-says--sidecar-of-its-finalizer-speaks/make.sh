# A volume has a clone, so its driver does not delete it. Only the log of the sidecar that set the finalizer
# says so (klog, by the name of the volume alone); the other containers of the pod are noisy.
served_by worker
service_account ceph rbd-provisioner
kubectl create clusterrole rbd-provisioner --verb=get,list,watch,create,patch,update,delete --resource=persistentvolumes
kubectl create clusterrolebinding rbd-provisioner --clusterrole=rbd-provisioner --serviceaccount=ceph:rbd-provisioner
deployment ceph rbd-provisioner 0
kubectl -n ceph patch deployment rbd-provisioner --type=json -p '[{"op": "replace", "path": "/spec/template/spec/containers", "value": [
  {"name": "driver", "image": "example.invalid/cephcsi"}, {"name": "csi-attacher", "image": "example.invalid/csi-attacher"},
  {"name": "csi-resizer", "image": "example.invalid/csi-resizer"}, {"name": "csi-provisioner", "image": "example.invalid/csi-provisioner"}]},
  {"op": "replace", "path": "/spec/replicas", "value": 1}]'
pods_on worker ceph rbd-provisioner
pods_running_since 600 ceph rbd-provisioner driver csi-attacher csi-resizer csi-provisioner
leading ceph rbd-csi-ceph-com "$(pods_of ceph rbd-provisioner)"
kubectl apply --server-side --field-manager=csi-provisioner -f - <<'YAML'
apiVersion: storage.k8s.io/v1
kind: CSIDriver
metadata: {name: rbd.csi.ceph.com}
spec: {attachRequired: false}
---
apiVersion: v1
kind: PersistentVolume
metadata:
  name: pvc-4f1e0c6e-9c1b-4e0a-8b3f-7a6c5d4e3f21
  annotations: {pv.kubernetes.io/provisioned-by: rbd.csi.ceph.com}
  finalizers: [external-provisioner.volume.kubernetes.io/finalizer]
spec:
  capacity: {storage: 8Gi}
  accessModes: [ReadWriteOnce]
  persistentVolumeReclaimPolicy: Delete
  storageClassName: rbd
  csi: {driver: rbd.csi.ceph.com, volumeHandle: 0001-0009-rook-ceph-0000000000000002-7c1f}
  claimRef: {apiVersion: v1, kind: PersistentVolumeClaim, namespace: default, name: data, uid: 5f0b7f0c-8a35-4f52-9a1b-0d1a4b6b7e01}
YAML
released() { is Released '{.status.phase}' pv "$1"; }
kubectl delete pv pvc-4f1e0c6e-9c1b-4e0a-8b3f-7a6c5d4e3f21 --wait=false
wait_for 60 "the volume is released" released pvc-4f1e0c6e-9c1b-4e0a-8b3f-7a6c5d4e3f21
aged 50 /registry/persistentvolumes/pvc-4f1e0c6e-9c1b-4e0a-8b3f-7a6c5d4e3f21 pv pvc-4f1e0c6e-9c1b-4e0a-8b3f-7a6c5d4e3f21
pod=$(pods_of ceph rbd-provisioner)
for of in driver csi-attacher csi-resizer; do FORMAT=klog logged ceph "$pod" $of pvc-99990c6e; done
logged ceph "$pod" csi-provisioner pvc-99990c6e <<'LOG'
I@klog       1 controller.go:1517] delete "pvc-4f1e0c6e-9c1b-4e0a-8b3f-7a6c5d4e3f21": started
E@klog       1 controller.go:1527] delete "pvc-4f1e0c6e-9c1b-4e0a-8b3f-7a6c5d4e3f21": volume deletion failed: rpc error: code = FailedPrecondition desc = rbd image csi-vol-7c1f has a dependent clone csi-vol-9a2b
E@klog       1 controller.go:1007] error syncing volume "pvc-4f1e0c6e-9c1b-4e0a-8b3f-7a6c5d4e3f21": rpc error: code = FailedPrecondition desc = rbd image csi-vol-7c1f has a dependent clone csi-vol-9a2b
LOG
