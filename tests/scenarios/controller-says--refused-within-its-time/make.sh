# A storage driver runs and leads. Of two attachments that were deleted two minutes ago, it reports for one that
# its storage refuses the detachment, and nothing for the other.
TWIN=yes STATE=runs AGO=2
twin_of scaled-to-zero--sidecar-with-a-lease-of-its-driver
attached slate block.granite.example
kubectl delete volumeattachments.storage.k8s.io of-slate --wait=false
aged 2 /registry/volumeattachments/of-slate volumeattachments of-slate
kubectl patch volumeattachment of-granite --subresource=status --type=merge --field-manager=csi-attacher -p "status:
  detachError: {time: \"$(now)\", message: 'rpc error: code = Unavailable desc = dial tcp 192.0.2.9:443: connect: connection refused'}"
late
