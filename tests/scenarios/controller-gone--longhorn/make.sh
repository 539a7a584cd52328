# Longhorn's namespace is deleted without running its uninstaller. The managers are gone, and two
# volumes still exist.
for kind in Node Replica EngineImage; do crd "${kind,,}s" longhorn.io $kind Namespaced v1beta2; done
service_account longhorn-system longhorn-service-account
rights longhorn-role nodes.longhorn.io replicas.longhorn.io engineimages.longhorn.io
kubectl create clusterrolebinding longhorn-bind --clusterrole=longhorn-role \
  --serviceaccount=longhorn-system:longhorn-service-account
kubectl apply -f - <<'YAML'
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: longhorn-manager, namespace: longhorn-system, labels: {app: longhorn-manager}}
spec:
  selector: {matchLabels: {app: longhorn-manager}}
  template:
    metadata: {labels: {app: longhorn-manager}}
    spec:
      serviceAccountName: longhorn-service-account
      automountServiceAccountToken: false
      containers: [{name: longhorn-manager, image: example.invalid/longhorn-manager}]
YAML
held() {
  object longhorn-system "$1.v1beta2.longhorn.io" "$2"
  finalizer longhorn-system "${1,,}s.longhorn.io" "$2" longhorn.io longhorn-manager
}
for node in node-1 node-2 node-3; do held Node $node; done
for number in 1 2 3 4 5 6 7; do held Replica pvc-$number-r-0a1b2c3d; done
held EngineImage ei-0a1b2c3d
for number in 1 2; do
  kubectl apply -f - <<YAML
apiVersion: v1
kind: PersistentVolume
metadata: {name: pvc-$number}
spec:
  accessModes: [ReadWriteOnce]
  capacity: {storage: 1Gi}
  csi: {driver: driver.longhorn.io, volumeHandle: pvc-$number}
  claimRef: {namespace: default, name: data-$number}
  persistentVolumeReclaimPolicy: Retain
YAML
done
delete_namespace longhorn-system
