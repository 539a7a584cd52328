# A dependent in another namespace holds its owner up, though it counts the
# owner as gone: the garbage collector finds dependents by uid alone.
kubectl create namespace shop
kubectl create namespace copies
owned shop store
owned copies copy acme.io/mirror "$(owner cm store shop)"
seen
foreground cm store -n shop
late
