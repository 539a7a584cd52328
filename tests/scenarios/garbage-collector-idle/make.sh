# The garbage collector does not run; only its own finalizer holds an object. Its
# one dependent does not block.
kubectl create namespace shop
owned shop store
owned shop cache "" "$(owner cm store shop false)"
seen
manager KILL
foreground cm store -n shop
late
