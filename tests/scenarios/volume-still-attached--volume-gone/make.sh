# A PersistentVolume is gone, and its attachment to a node that is there is left. The attacher runs.
node worker Ready
settled worker
service_account slab-csi slab-controller
csi_driver slab.mineral.example
works 900 slab-csi slab-controller volumeattachments.storage.k8s.io persistentvolumes.
kubectl -n slab-csi patch deployment slab-controller --type=json -p '[{"op": "add", "path": "/spec/template/spec/containers/0/args", "value": ["--drivername=slab.mineral.example"]}]'
attachment csi-lost slab.mineral.example vol-lost worker
kubectl delete volumeattachment csi-lost --wait=false
aged 1440 /registry/volumeattachments/csi-lost volumeattachments csi-lost
