# The members of a ring have finalizers of their own: two causes, and neither
# repair alone is enough.
kubectl create namespace shop
owned shop left acme.io/left
owned shop right "" "$(owner cm left shop)"
owned shop left acme.io/left "$(owner cm right shop)"
seen
manager STOP
foreground cm left right -n shop
manager CONT
late
