# The nodes of this cluster are virtual machines in another cluster, and the CSI driver calls that
# cluster to detach disks. A node was deleted with its machine, and the driver calls for a machine
# that is gone.
node worker Ready
node guest-pool1-mvrkk-49mv9 Ready
settled worker guest-pool1-mvrkk-49mv9
kubectl apply -f - <<'YAML'
apiVersion: storage.k8s.io/v1
kind: CSIDriver
metadata: {name: driver.harvesterhci.io}
spec: {attachRequired: true}
---
apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: {name: harvester}
provisioner: driver.harvesterhci.io
YAML
for name in worker guest-pool1-mvrkk-49mv9; do
  kubectl apply -f - <<YAML
apiVersion: storage.k8s.io/v1
kind: CSINode
metadata: {name: $name}
spec: {drivers: [{name: driver.harvesterhci.io, nodeID: $name, topologyKeys: []}]}
YAML
done
service_account kube-system harvester-csi-driver
rights harvester-csi-driver volumeattachments.storage.k8s.io persistentvolumes.
kubectl create clusterrolebinding harvester-csi-driver --clusterrole=harvester-csi-driver --serviceaccount=kube-system:harvester-csi-driver
kubectl apply -f - <<'YAML'
apiVersion: apps/v1
kind: Deployment
metadata: {name: harvester-csi-driver-controllers, namespace: kube-system, labels: {app: csi-controllers, component: csi-driver}}
spec:
  replicas: 1
  selector: {matchLabels: {app.kubernetes.io/name: harvester-csi-driver-controllers}}
  template:
    metadata: {labels: {app.kubernetes.io/name: harvester-csi-driver-controllers}}
    spec:
      serviceAccountName: harvester-csi-driver
      automountServiceAccountToken: false
      containers:
      - {name: csi-resizer, image: "example.invalid/csi-resizer:v1.9.2", args: [--csi-address=$(ADDRESS), --leader-election], volumeMounts: [{name: socket-dir, mountPath: /csi/}]}
      - {name: csi-provisioner, image: "example.invalid/csi-provisioner:v3.6.2", args: [--csi-address=$(ADDRESS), --leader-election], volumeMounts: [{name: socket-dir, mountPath: /csi/}]}
      - {name: csi-attacher, image: "example.invalid/csi-attacher:v4.4.2", args: [--csi-address=$(ADDRESS), --leader-election], volumeMounts: [{name: socket-dir, mountPath: /csi/}]}
      volumes: [{name: socket-dir, hostPath: {path: /var/lib/kubelet/harvester-plugins/driver.harvesterhci.io, type: DirectoryOrCreate}}]
YAML
pods_on worker kube-system harvester-csi-driver-controllers
pods_running_since 600 kube-system harvester-csi-driver-controllers
leading kube-system external-attacher-leader-driver-harvesterhci-io "$(pods_of kube-system harvester-csi-driver-controllers)"
agents kube-system harvester-csi-driver-node persistentvolumes. \
  'volumes: [{name: plugin, hostPath: {path: /var/lib/kubelet/harvester-plugins/driver.harvesterhci.io, type: DirectoryOrCreate}}]'
works 600 kube-system harvester-cloud-provider services. nodes.
kubectl create namespace db
# volume NAME CLAIM NODE ATTACHMENT creates a bound volume that is attached to this node.
volume() {
  kubectl apply -f - <<YAML
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: $2, namespace: db, annotations: {volume.kubernetes.io/storage-provisioner: driver.harvesterhci.io}}
spec: {storageClassName: harvester, volumeName: $1, accessModes: [ReadWriteOnce], resources: {requests: {storage: 10Gi}}}
YAML
  kubectl apply --server-side --field-manager=csi-provisioner -f - <<YAML
apiVersion: v1
kind: PersistentVolume
metadata:
  name: $1
  annotations: {pv.kubernetes.io/provisioned-by: driver.harvesterhci.io}
spec:
  capacity: {storage: 10Gi}
  accessModes: [ReadWriteOnce]
  persistentVolumeReclaimPolicy: Delete
  storageClassName: harvester
  csi: {driver: driver.harvesterhci.io, volumeHandle: $1}
  claimRef: {apiVersion: v1, kind: PersistentVolumeClaim, namespace: db, name: $2, uid: $(kubectl -n db get pvc "$2" -o jsonpath='{.metadata.uid}')}
YAML
  kubectl create --field-manager=kube-controller-manager -f - <<YAML
apiVersion: storage.k8s.io/v1
kind: VolumeAttachment
metadata: {name: $4}
spec: {attacher: driver.harvesterhci.io, nodeName: $3, source: {persistentVolumeName: $1}}
YAML
  kubectl patch volumeattachment "$4" --type=merge --field-manager=csi-attacher \
    -p "metadata: {annotations: {csi.alpha.kubernetes.io/node-id: $3}, finalizers: [external-attacher/driver-harvesterhci-io]}"
  kubectl patch pv "$1" --type=merge --field-manager=csi-attacher \
    -p "metadata: {finalizers: [kubernetes.io/pv-protection, external-attacher/driver-harvesterhci-io]}"
  kubectl patch volumeattachment "$4" --subresource=status --type=merge --field-manager=csi-attacher -p "status: {attached: true}"
}
old=csi-56d3618220121f8e2743c3516c6e8bacad83e33db964fbab80ac7109d2f5685a
volume pvc-7b961574-9bf9-485a-9238-ab952b9c9e85 data-postgres-0 guest-pool1-mvrkk-49mv9 $old
volume pvc-11961574-9bf9-485a-9238-ab952b9c9e85 data-postgres-1 worker csi-b7baad805d741494db86da24a852e71a4c3887bb421aeb36d651cf1c19f19263
bound() { is Bound '{.status.phase}' pvc "$1" -n db; }
wait_for 60 "the claim is bound" bound data-postgres-0
kubectl delete node guest-pool1-mvrkk-49mv9
kubectl delete csinode guest-pool1-mvrkk-49mv9 --ignore-not-found
kubectl delete volumeattachment $old --wait=false
kubectl patch volumeattachment $old --subresource=status --type=merge --field-manager=csi-attacher -p "status: {attached: true, detachError: {time: \"$(now)\",
  message: 'rpc error: code = Internal desc = Failed to remove volume pvc-7b961574-9bf9-485a-9238-ab952b9c9e85 from node guest-pool1-mvrkk-49mv9: virtualmachine.kubevirt.io \"guest-pool1-mvrkk-49mv9\" not found'}}"
# The recreated pod waits for its volume.
kubectl apply -f - <<'YAML'
apiVersion: v1
kind: Pod
metadata: {name: postgres-0, namespace: db}
spec:
  nodeName: worker
  automountServiceAccountToken: false
  containers: [{name: c, image: example.invalid/postgres, volumeMounts: [{name: data, mountPath: /data}]}]
  volumes: [{name: data, persistentVolumeClaim: {claimName: data-postgres-0}}]
YAML
event db pod postgres-0 FailedAttachVolume \
  'Multi-Attach error for volume \"pvc-7b961574-9bf9-485a-9238-ab952b9c9e85\" Volume is already exclusively attached to one node and cannot be attached to another' attachdetach-controller
late
aged 90 /registry/volumeattachments/$old volumeattachment $old
kubectl patch volumeattachment $old --subresource=status --type=merge --field-manager=csi-attacher -p "status: {detachError: {time: \"$(now)\"}}"
