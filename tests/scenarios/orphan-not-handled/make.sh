# An owner was deleted with --cascade=orphan while the garbage collector does not run. Deleting it
# in the background would delete its dependents.
kubectl create namespace shop
owned shop store
owned shop database "" "$(owner cm store shop)"
owned shop cache "" "$(owner cm store shop false)"
seen
manager KILL
kubectl -n shop delete cm store --cascade=orphan --wait=false
late
