# A driver's provisioner deletes the volume behind a PersistentVolume and then removes its finalizer
# from the PersistentVolume. Its role no longer has the verb patch. Another driver's provisioner has
# all permissions.
node worker Ready
settled worker
# part SA NAME creates a part of the driver as its chart installs it.
part() {
  kubectl -n kube-system get serviceaccount "$1" >/dev/null 2>&1 || kubectl -n kube-system create serviceaccount "$1"
  kubectl apply -f - <<YAML
apiVersion: apps/v1
kind: Deployment
metadata: {name: $2, namespace: kube-system, labels: {app.kubernetes.io/name: $2, app.kubernetes.io/instance: csi-driver-nfs}}
spec:
  replicas: 1
  selector: {matchLabels: {app.kubernetes.io/name: $2}}
  template:
    metadata: {labels: {app.kubernetes.io/name: $2, app.kubernetes.io/instance: csi-driver-nfs}}
    spec:
      serviceAccountName: $1
      automountServiceAccountToken: false
      containers:
      - {name: manager, image: registry.k8s.io/sig-storage/csi-provisioner:v5.0.1, args: [--csi-address=/csi/csi.sock, --leader-election, --feature-gates=HonorPVReclaimPolicy=true]}
      - {name: nfs, image: registry.k8s.io/sig-storage/nfsplugin:v4.8.0}
YAML
  pods_on worker kube-system "$2"
  pods_running_since 600 kube-system "$2"
}
part csi-nfs-controller-sa csi-nfs-controller
kubectl create clusterrole nfs-external-provisioner-role --verb="get,list,watch,create,delete${TWIN:+,patch}" --resource=persistentvolumes
kubectl create clusterrolebinding nfs-csi-provisioner-binding --clusterrole=nfs-external-provisioner-role \
  --serviceaccount=kube-system:csi-nfs-controller-sa
leading kube-system nfs-csi-k8s-io csi-provisioner-nfs_1
works 600 disk-csi disk-csi-controller persistentvolumes.
leading disk-csi disk-csi-example-com disk-csi-controller_1
for driver in nfs.csi.k8s.io disk.csi.example.com; do
  kubectl apply -f - <<YAML
apiVersion: storage.k8s.io/v1
kind: CSIDriver
metadata: {name: $driver}
spec: {attachRequired: false}
---
apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: {name: ${driver%%.*}}
provisioner: $driver
YAML
done
# volume NAME DRIVER CLAIM N creates a volume of this driver.
volume() {
  kubectl apply --server-side --field-manager=csi-provisioner -f - <<YAML
apiVersion: v1
kind: PersistentVolume
metadata:
  name: $1
  annotations: {pv.kubernetes.io/provisioned-by: $2, volume.kubernetes.io/provisioner-deletion-secret-name: "", volume.kubernetes.io/provisioner-deletion-secret-namespace: ""}
  finalizers: [external-provisioner.volume.kubernetes.io/finalizer]
spec:
  capacity: {storage: 8Gi}
  accessModes: [ReadWriteOnce]
  persistentVolumeReclaimPolicy: Delete
  storageClassName: ${2%%.*}
  csi: {driver: $2, volumeHandle: "nas.example.com#testgrid#$1##"}
  claimRef: {apiVersion: v1, kind: PersistentVolumeClaim, namespace: default, name: $3, uid: 5f0b7f0c-8a35-4f52-9a1b-0d1a4b6b7e0$4}
YAML
}
volume pvc-a8f4852f-70b2-4f48-ae2f-6c81862dda2a nfs.csi.k8s.io redis-data-gitea-redis-master-0 1
volume pvc-1234852f-70b2-4f48-ae2f-6c81862dda2a disk.csi.example.com other 2
kubectl delete pv pvc-a8f4852f-70b2-4f48-ae2f-6c81862dda2a --wait=false
released() { is Released '{.status.phase}' pv "$1"; }
wait_for 60 "the volume is released" released pvc-a8f4852f-70b2-4f48-ae2f-6c81862dda2a
late
aged 50 /registry/persistentvolumes/pvc-a8f4852f-70b2-4f48-ae2f-6c81862dda2a pv pvc-a8f4852f-70b2-4f48-ae2f-6c81862dda2a
[ -z "${TWIN:-}" ] || event "" pv pvc-a8f4852f-70b2-4f48-ae2f-6c81862dda2a VolumeFailedDelete \
  'rpc error: code = NotFound desc = failed to find share nas.example.com:/testgrid' nfs.csi.k8s.io_csi-nfs-controller
