# A namespace goes in which an owner waits in foreground deletion: only what
# holds the dependent holds the namespace.
kubectl create namespace shop
owned shop store
owned shop backup acme.io/bucket "$(owner cm store shop)"
seen
foreground cm store -n shop
delete_namespace shop
