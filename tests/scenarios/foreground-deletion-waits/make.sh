# An owner is deleted in the foreground. Its dependent waits for its own dependent, which has a
# finalizer. Decoys: a dependent that does not block, one that another owner keeps, and one whose
# reference has the uid of an older object of the same name.
kubectl create namespace shop
owned shop store
owned shop database "" "$(owner cm store shop)"
owned shop backup acme.io/bucket "$(owner cm database shop)"
owned shop keeper
owned shop cache acme.io/cache "$(owner cm store shop false)"
owned shop shared acme.io/shared "$(owner cm store shop)" "$(owner cm keeper shop)"
owned shop former acme.io/former \
  "{apiVersion: v1, kind: ConfigMap, name: store, uid: 00000000-0000-0000-0000-000000000001, blockOwnerDeletion: true}" \
  "$(owner cm keeper shop)"
seen
foreground cm store -n shop
wait_for 20 "the chain is being deleted" kubectl -n shop wait --for=jsonpath='{.metadata.deletionTimestamp}' cm/backup --timeout=1s
late
