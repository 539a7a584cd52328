# An owner is deleted in the foreground, and then its namespace is deleted. The namespace controller
# deletes in the background, which releases the owner at once. Only the dependent with a finalizer
# holds the namespace.
kubectl create namespace shop
owned shop store
owned shop backup acme.io/bucket "$(owner cm store shop)"
seen
foreground cm store -n shop
delete_namespace shop
