# A claim is kept while another claim is being cloned from it. The clone cannot be created for lack
# of space.
node worker Ready
operator lvm lvmer 1
kubectl create clusterrole lvmer --verb=get,list,watch,update,patch --resource=persistentvolumes,persistentvolumeclaims
kubectl create clusterrolebinding lvmer --clusterrole=lvmer --serviceaccount=lvm:lvmer
kubectl -n lvm patch deployment lvmer --type=strategic -p 'spec: {template: {spec: {containers: [{name: manager}, {name: csi-provisioner, image: example.invalid/csi-provisioner}]}}}'
sleep 2
pods_on worker lvm lvmer
pods_running_since 900 lvm lvmer manager csi-provisioner
kubectl create namespace golden
kubectl apply -f - <<YAML
apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: {name: lvm}
provisioner: lvm.dev
---
apiVersion: v1
kind: PersistentVolume
metadata: {name: base}
spec:
  capacity: {storage: 1Gi}
  accessModes: [ReadWriteOnce]
  storageClassName: lvm
  claimRef: {namespace: golden, name: base}
  csi: {driver: lvm.dev, volumeHandle: base}
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: base, namespace: golden}
spec: {storageClassName: lvm, volumeName: base, accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: root, namespace: golden}
spec: {storageClassName: lvm, accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}, dataSource: {kind: PersistentVolumeClaim, name: base}}
YAML
wait_for 30 "the claim is bound" is Bound '{.status.phase}' pvc base -n golden
finalizer golden persistentvolumeclaims base provisioner.storage.kubernetes.io/cloning-protection csi-provisioner
event golden persistentvolumeclaim root ProvisioningFailed 'no space left on the volume group' csi-provisioner
kubectl -n golden delete persistentvolumeclaim base --wait=false
late
aged 65 /registry/persistentvolumeclaims/golden/base persistentvolumeclaim base -n golden
