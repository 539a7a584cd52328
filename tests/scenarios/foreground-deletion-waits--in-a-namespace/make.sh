# A namespace goes in which an owner was deleted in the foreground: the namespace
# controller deletes in the background, which releases the owner at once, and only
# what holds the dependent holds the namespace.
kubectl create namespace shop
owned shop store
owned shop backup acme.io/bucket "$(owner cm store shop)"
seen
foreground cm store -n shop
delete_namespace shop
