# The node of a local volume was removed from the cluster. An agent on its node deletes such a
# volume. The agents of the other nodes are healthy.
node worker Ready
node aks-gpu-2 Ready
settled worker aks-gpu-2
if [ -n "${TWIN:-}" ]; then node aks-gpu-1 Ready; settled aks-gpu-1; fi
service_account kube-system csi-local-node
rights csi-local-node persistentvolumes.
kubectl create clusterrolebinding csi-local-node --clusterrole=csi-local-node --serviceaccount=kube-system:csi-local-node
kubectl apply -f - <<'YAML'
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: csi-local-node, namespace: kube-system, labels: {app.kubernetes.io/name: csi-local-node}}
spec:
  selector: {matchLabels: {app.kubernetes.io/name: csi-local-node}}
  template:
    metadata: {labels: {app.kubernetes.io/name: csi-local-node}}
    spec:
      serviceAccountName: csi-local-node
      automountServiceAccountToken: false
      containers:
      - {name: manager, image: example.invalid/local-csi-driver:v0.2.5}
      - {name: csi-provisioner, image: example.invalid/csi-provisioner:v5.2.0, args: [--node-deployment, --feature-gates=Topology=true]}
YAML
sleep 3
pods_running_since 600 kube-system csi-local-node
works 600 kube-system csi-local-webhook
kubectl apply -f - <<'YAML'
apiVersion: storage.k8s.io/v1
kind: CSIDriver
metadata: {name: localdisk.csi.acstor.io}
spec: {attachRequired: false}
---
apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: {name: local-nvme}
provisioner: localdisk.csi.acstor.io
volumeBindingMode: WaitForFirstConsumer
YAML
for name in ${TWIN:+aks-gpu-1} aks-gpu-2; do
  kubectl apply -f - <<YAML
apiVersion: storage.k8s.io/v1
kind: CSINode
metadata: {name: $name}
spec: {drivers: [{name: localdisk.csi.acstor.io, nodeID: $name, topologyKeys: [topology.localdisk.csi.acstor.io/node]}]}
YAML
  kubectl label node $name topology.localdisk.csi.acstor.io/node=$name
done
# volume NAME NODE N creates a local volume on this node.
volume() {
  kubectl apply --server-side --field-manager=csi-provisioner -f - <<YAML
apiVersion: v1
kind: PersistentVolume
metadata:
  name: $1
  annotations: {pv.kubernetes.io/provisioned-by: localdisk.csi.acstor.io}
  finalizers: [external-provisioner.volume.kubernetes.io/finalizer]
spec:
  capacity: {storage: 500Gi}
  accessModes: [ReadWriteOnce]
  persistentVolumeReclaimPolicy: Delete
  storageClassName: local-nvme
  csi: {driver: localdisk.csi.acstor.io, volumeHandle: "containerstorage#$1"}
  claimRef: {apiVersion: v1, kind: PersistentVolumeClaim, namespace: default, name: model-weights-volume-phi-4-$3, uid: 5f0b7f0c-8a35-4f52-9a1b-0d1a4b6b7e0$3}
  nodeAffinity: {required: {nodeSelectorTerms: [{matchExpressions: [{key: topology.localdisk.csi.acstor.io/node, operator: In, values: [$2]}]}]}}
YAML
}
volume pvc-6b2c1f5e aks-gpu-1 1
volume pvc-77aa1f5e aks-gpu-2 2
kubectl delete pv pvc-6b2c1f5e --wait=false
released() { is Released '{.status.phase}' pv "$1"; }
wait_for 60 "the volume is released" released pvc-6b2c1f5e
late
aged 120 /registry/persistentvolumes/pvc-6b2c1f5e pv pvc-6b2c1f5e
[ -z "${TWIN:-}" ] || event "" pv pvc-6b2c1f5e VolumeFailedDelete \
  'rpc error: code = Internal desc = failed to remove logical volume containerstorage/pvc-6b2c1f5e: exit status 5: in use' \
  localdisk.csi.acstor.io_csi-local-node
