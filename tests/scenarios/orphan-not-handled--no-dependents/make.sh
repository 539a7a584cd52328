# The finalizer orphan is left, and nobody names the object as an owner.
kubectl create namespace shop
owned shop store
seen
manager KILL
kubectl -n shop delete cm store --cascade=orphan --wait=false
late
