# An attachment names a volume that was deleted before it. Its controller runs, leads and says
# nothing.
node worker Ready
settled worker
crd attachments reef.example Attachment
crd volumes reef.example Volume
leads reef reef-manager reef-lead 1 attachments.reef.example volumes.reef.example
namespace reef-data
object reef-data Attachment.v1.reef.example att-7 '{volume: vol-7, attacher: reef.example}'
[ -z "${TWIN:-}" ] || object reef-data Volume.v1.reef.example vol-7 '{size: 1Gi}'
object reef-data Volume.v1.reef.example vol-8 '{size: 1Gi}'
object reef-data Attachment.v1.reef.example att-8 '{volume: vol-8, attacher: reef.example}'
for name in att-7 att-8; do finalizer reef-data attachments.reef.example $name reef.example/attach reef-manager; done
deleted 50 attachments.reef.example att-7 reef-data
