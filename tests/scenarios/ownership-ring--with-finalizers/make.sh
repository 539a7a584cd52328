# Two objects own each other and were deleted in the foreground. One of them has a finalizer of its
# own. There are two causes, and both must be fixed.
kubectl create namespace shop
owned shop left acme.io/left
owned shop right "" "$(owner cm left shop)"
owned shop left acme.io/left "$(owner cm right shop)"
seen
manager STOP
foreground cm left right -n shop
manager CONT
late
