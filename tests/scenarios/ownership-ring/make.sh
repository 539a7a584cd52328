# Two objects that own each other are deleted in the foreground while the
# garbage collector looks away; and a third that owns itself, for which its other owner waits.
kubectl create namespace shop
owned shop left
owned shop right "" "$(owner cm left shop)"
owned shop left "" "$(owner cm right shop)"
owned shop top
owned shop alone
owned shop alone "" "$(owner cm top shop)" "$(owner cm alone shop)"
seen
manager STOP
foreground cm left right alone top -n shop
manager CONT
late
