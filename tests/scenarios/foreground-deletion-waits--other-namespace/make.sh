# A dependent in another namespace holds its owner, because the garbage collector finds dependents
# by uid only. For the dependent the owner counts as gone.
kubectl create namespace shop
kubectl create namespace copies
owned shop store
owned copies copy acme.io/mirror "$(owner cm store shop)"
seen
foreground cm store -n shop
late
