# A namespace of virtual machines was deleted. The object that attached a disk was gone at once, but
# its controller removes its finalizer from the claim only while it deletes that object. Nothing
# uses the disk any more.
node worker Ready
settled worker
crd cnsnodevmattachments cns.vmware.com CnsNodeVmAttachment Namespaced v1alpha1
crd virtualmachines vmoperator.vmware.com VirtualMachine Namespaced v1alpha3
service_account vmware-system-csi vsphere-csi-controller
rights vsphere-csi-controller-role cnsnodevmattachments.cns.vmware.com persistentvolumeclaims. persistentvolumes.
kubectl create clusterrolebinding vsphere-csi-controller-binding --clusterrole=vsphere-csi-controller-role --serviceaccount=vmware-system-csi:vsphere-csi-controller
kubectl apply -f - <<'YAML'
apiVersion: apps/v1
kind: Deployment
metadata: {name: vsphere-csi-controller, namespace: vmware-system-csi}
spec:
  replicas: 1
  selector: {matchLabels: {app.kubernetes.io/name: vsphere-csi-controller}}
  template:
    metadata: {labels: {app.kubernetes.io/name: vsphere-csi-controller, app: vsphere-csi-controller, role: vsphere-csi}}
    spec:
      serviceAccountName: vsphere-csi-controller
      automountServiceAccountToken: false
      containers:
      - {name: csi-provisioner, image: "example.invalid/csi-provisioner:v4.0.1", args: [--csi-address=$(ADDRESS), --leader-election]}
      - {name: csi-attacher, image: "example.invalid/csi-attacher:v4.8.1", args: [--csi-address=$(ADDRESS), --leader-election]}
      - {name: vsphere-csi-controller, image: "example.invalid/vsphere-csi:9.1", args: [--fss-name=csi-feature-states]}
      - {name: vsphere-syncer, image: "example.invalid/syncer:9.1", args: [--leader-election, --fss-name=csi-feature-states]}
YAML
pods_on worker vmware-system-csi vsphere-csi-controller
pods_running_since 600 vmware-system-csi vsphere-csi-controller
leading vmware-system-csi vsphere-syncer "$(pods_of vmware-system-csi vsphere-csi-controller)"
works 600 vmware-system-vmop vmware-system-vmop-controller-manager virtualmachines.vmoperator.vmware.com persistentvolumeclaims.
kubectl apply -f - <<'YAML'
apiVersion: storage.k8s.io/v1
kind: CSIDriver
metadata: {name: csi.vsphere.vmware.com}
spec: {attachRequired: true}
---
apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: {name: gc-storage-profile}
provisioner: csi.vsphere.vmware.com
YAML
# disk NAMESPACE MACHINE CLAIM ID creates a claim that is attached to a machine.
disk() {
  namespace "$1"
  object "$1" VirtualMachine.v1alpha3.vmoperator.vmware.com "$2" '{className: best-effort-small, powerState: PoweredOn}'
  kubectl apply -f - <<YAML
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: $3, namespace: $1, annotations: {volume.kubernetes.io/storage-provisioner: csi.vsphere.vmware.com}}
spec: {storageClassName: gc-storage-profile, volumeName: pvc-$4, accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
YAML
  kubectl apply --server-side --field-manager=csi-provisioner -f - <<YAML
apiVersion: v1
kind: PersistentVolume
metadata:
  name: pvc-$4
  annotations: {pv.kubernetes.io/provisioned-by: csi.vsphere.vmware.com}
  finalizers: [external-provisioner.volume.kubernetes.io/finalizer]
spec:
  capacity: {storage: 1Gi}
  accessModes: [ReadWriteOnce]
  persistentVolumeReclaimPolicy: Delete
  storageClassName: gc-storage-profile
  csi: {driver: csi.vsphere.vmware.com, volumeHandle: $4}
  claimRef: {apiVersion: v1, kind: PersistentVolumeClaim, namespace: $1, name: $3, uid: $(kubectl -n "$1" get pvc "$3" -o jsonpath='{.metadata.uid}')}
YAML
  object "$1" CnsNodeVmAttachment.v1alpha1.cns.vmware.com "$2-$3" "{nodeuuid: 423926f7-02fa-39ca-e590-0099e5f18a79, volumename: $3}"
  finalizer "$1" cnsnodevmattachments "$2-$3" cns.vmware.com vsphere-syncer
  kubectl -n "$1" patch pvc "$3" --type=json --field-manager=vsphere-syncer \
    -p '[{"op": "add", "path": "/metadata/finalizers/-", "value": "cns.vmware.com/pvc-protection"}]'
  says "$1" cnsnodevmattachments "$2-$3" vsphere-syncer "{attached: true, metadata: {cnsVolumeId: $4, diskUUID: 6000C29f}}"
  bound() { is Bound '{.status.phase}' pvc "$2" -n "$1"; }
  wait_for 60 "the claim is bound" bound "$1" "$3"
}
disk test test-vm ca446c4c-10d5-4674-8640-c4d09284897e 33a80745-4c63-4e0a-ab8c-5b6c0fa596f8
disk prod prod-vm da446c4c-10d5-4674-8640-c4d09284897e 43a80745-4c63-4e0a-ab8c-5b6c0fa596f8
kubectl delete namespace test --wait=false
looked test
if [ -z "${TWIN:-}" ]; then
  # The disk is detached, and its attachment is gone at once.
  kubectl -n test patch cnsnodevmattachments test-vm-ca446c4c-10d5-4674-8640-c4d09284897e --type=merge --field-manager=vsphere-syncer -p 'metadata: {finalizers: null}'
  wait_for 30 "the attachment is gone" gone cnsnodevmattachments test-vm-ca446c4c-10d5-4674-8640-c4d09284897e -n test
fi
wait_for 30 "the machine is gone" gone virtualmachines test-vm -n test
late
aged 100 /registry/persistentvolumeclaims/test/ca446c4c-10d5-4674-8640-c4d09284897e pvc ca446c4c-10d5-4674-8640-c4d09284897e -n test
if [ -n "${TWIN:-}" ]; then
  # Events cannot be created in a namespace that is being deleted.
  aged 100 /registry/cns.vmware.com/cnsnodevmattachments/test/test-vm-ca446c4c-10d5-4674-8640-c4d09284897e \
    cnsnodevmattachments test-vm-ca446c4c-10d5-4674-8640-c4d09284897e -n test
  says test cnsnodevmattachments test-vm-ca446c4c-10d5-4674-8640-c4d09284897e vsphere-syncer "{error: 'ServerFaultCode: Cannot complete login due to an incorrect user name or password.'}"
fi
aged 101 /registry/namespaces/test namespace test
