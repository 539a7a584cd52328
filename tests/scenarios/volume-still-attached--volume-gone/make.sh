# A PersistentVolume is gone, and its attachment to a node that is there is left. The attacher runs.
node worker Ready
settled worker
service_account slab-csi slab-controller
kubectl apply -f - <<'YAML'
apiVersion: storage.k8s.io/v1
kind: CSIDriver
metadata: {name: slab.mineral.example}
spec: {attachRequired: true}
YAML
works 900 slab-csi slab-controller volumeattachments.storage.k8s.io persistentvolumes.
kubectl -n slab-csi patch deployment slab-controller --type=json -p '[{"op": "add", "path": "/spec/template/spec/containers/0/args", "value": ["--drivername=slab.mineral.example"]}]'
kubectl apply -f - <<YAML
apiVersion: storage.k8s.io/v1
kind: VolumeAttachment
metadata: {name: csi-lost}
spec: {attacher: slab.mineral.example, nodeName: worker, source: {persistentVolumeName: vol-lost}}
YAML
kubectl patch volumeattachment csi-lost --type=merge --field-manager=csi-attacher -p "metadata: {finalizers: [external-attacher/slab-mineral-example]}"
kubectl patch volumeattachment csi-lost --subresource=status --type=merge --field-manager=csi-attacher -p "status: {attached: true}"
kubectl delete volumeattachment csi-lost --wait=false
aged 1440 /registry/volumeattachments/csi-lost volumeattachments csi-lost
