# Two storage drivers have controllers of the same name with the same sidecars. The controller of
# north is at zero, and that of south has no running pod. Each has to release an attachment whose
# volume and node exist.
#
# driver NAME REPLICAS creates a driver with its controller, its volume and its attachment.
driver() {
  service_account "$1-csi" csi-controller
  kubectl apply -f - <<YAML
apiVersion: storage.k8s.io/v1
kind: CSIDriver
metadata: {name: disk.$1.example}
spec: {attachRequired: true}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: csi-controller, namespace: $1-csi}
spec:
  replicas: $2
  selector: {matchLabels: {app.kubernetes.io/name: csi-controller}}
  template:
    metadata: {labels: {app.kubernetes.io/name: csi-controller}}
    spec:
      serviceAccountName: csi-controller
      automountServiceAccountToken: false
      containers:
      - {name: csi-attacher, image: example.invalid/csi-attacher}
      - {name: driver, image: example.invalid/driver, args: [--drivername=disk.$1.example]}
---
apiVersion: v1
kind: PersistentVolume
metadata: {name: vol-$1}
spec:
  capacity: {storage: 1Gi}
  accessModes: [ReadWriteOnce]
  csi: {driver: disk.$1.example, volumeHandle: vol-$1}
---
apiVersion: storage.k8s.io/v1
kind: VolumeAttachment
metadata: {name: of-$1}
spec: {attacher: disk.$1.example, nodeName: worker, source: {persistentVolumeName: vol-$1}}
YAML
  kubectl create clusterrolebinding "csi-$1" --clusterrole=csi-attacher --serviceaccount="$1-csi:csi-controller"
  kubectl patch volumeattachment "of-$1" --subresource=status --type=merge -p "status: {attached: true}"
  kubectl patch volumeattachment "of-$1" --type=merge --field-manager=csi-attacher \
    -p "metadata: {finalizers: [external-attacher/disk-$1-example]}"
}
node worker Ready
rights csi-attacher volumeattachments.storage.k8s.io
driver north 0
driver south 1
kubectl delete volumeattachments.storage.k8s.io of-north of-south --wait=false
late
for which in north south; do
  aged 30 "/registry/volumeattachments/of-$which" volumeattachments "of-$which"
done
