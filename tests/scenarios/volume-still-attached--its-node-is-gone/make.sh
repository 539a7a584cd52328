# A storage driver runs and leads. An attachment to a node that is gone was deleted two minutes ago.
TWIN=yes STATE=runs AGO=2
twin_of scaled-to-zero--sidecar-with-a-lease-of-its-driver
node lost NotReady
attached slate block.granite.example lost
kubectl delete node lost
kubectl delete volumeattachments.storage.k8s.io of-slate --wait=false
aged 2 /registry/volumeattachments/of-slate volumeattachments of-slate
late
