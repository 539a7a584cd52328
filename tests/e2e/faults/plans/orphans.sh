# The leftovers of a namespace that was finalized by force: one has a finalizer and is being
# deleted, and the others are not being deleted.
kubectl create namespace gone
furnished gone
owned gone settings acme.io/mirror
owned gone prices
kubectl -n gone delete configmap settings --wait=false
force_finalize gone
late
