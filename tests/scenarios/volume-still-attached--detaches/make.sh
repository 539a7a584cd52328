# The attacher runs and is about to detach a volume: it wrote to the attachment a moment ago and
# reported no failure. The volume and the node exist.
node worker Ready
service_account slab-csi slab-controller
csi_driver slab.mineral.example
kubectl apply -f - <<'YAML'
apiVersion: apps/v1
kind: Deployment
metadata: {name: slab-controller, namespace: slab-csi, labels: {app.kubernetes.io/name: slab-controller}}
spec:
  replicas: 1
  selector: {matchLabels: {app.kubernetes.io/name: slab-controller}}
  template:
    metadata: {labels: {app.kubernetes.io/name: slab-controller}}
    spec:
      serviceAccountName: slab-controller
      automountServiceAccountToken: false
      containers:
      - {name: manager, image: example.invalid/csi-attacher}
      - {name: driver, image: example.invalid/slab, args: [--drivername=slab.mineral.example]}
YAML
csi_volume vol-going slab.mineral.example going
rights slab volumeattachments.storage.k8s.io persistentvolumes.
kubectl create clusterrolebinding slab --clusterrole=slab --serviceaccount=slab-csi:slab-controller
pods_ready slab-csi slab-controller
attachment csi-going slab.mineral.example vol-going worker
attachment csi-other slab.mineral.example vol-other worker
kubectl delete volumeattachment csi-going --wait=false
late
kubectl annotate volumeattachment csi-going --field-manager=csi-attacher slab.mineral.example/step=unmapping
