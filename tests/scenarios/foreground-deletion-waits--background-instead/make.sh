# As before, and only what is disruptive is approved: the owner goes, and its
# dependent stays with its finalizer.
kubectl create namespace shop
owned shop store
owned shop backup acme.io/bucket "$(owner cm store shop)"
seen
foreground cm store -n shop
late
