# An owner is deleted in the foreground, and a finalizer holds its dependent. Only disruptive steps
# are approved, so the owner is released and the dependent keeps its finalizer.
kubectl create namespace shop
owned shop store
owned shop backup acme.io/bucket "$(owner cm store shop)"
seen
foreground cm store -n shop
late
