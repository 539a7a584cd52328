# The garbage collector does not run, so foregroundDeletion stays on an object. Its only dependent
# does not block.
kubectl create namespace shop
owned shop store
owned shop cache "" "$(owner cm store shop false)"
seen
manager KILL
foreground cm store -n shop
late
