# Two objects that own each other are deleted in the foreground while the
# garbage collector looks away; and a third that owns itself.
kubectl create namespace shop
owned shop left
owned shop right "" "$(owner cm left shop)"
owned shop left "" "$(owner cm right shop)"
owned shop alone
owned shop alone "" "$(owner cm alone shop)"
seen
manager STOP
foreground cm left right alone -n shop
manager CONT
late
