# The finalizer orphan is left on an object that no dependent names as its owner.
kubectl create namespace shop
owned shop store
seen
manager KILL
kubectl -n shop delete cm store --cascade=orphan --wait=false
late
