# The garbage collector does not run, and an owner was to leave its dependents
# behind: deleted in the background they would be lost.
kubectl create namespace shop
owned shop store
owned shop database "" "$(owner cm store shop)"
owned shop cache "" "$(owner cm store shop false)"
seen
manager KILL
kubectl -n shop delete cm store --cascade=orphan --wait=false
late
