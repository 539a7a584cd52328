# Two objects that own each other are deleted in the foreground while the garbage collector is
# stopped. A third object owns itself, and its other owner waits for it.
kubectl create namespace shop
owned shop top
owned shop alone
owned shop alone "" "$(owner cm top shop)" "$(owner cm alone shop)"

# ring [OTHERS...] creates a ring, deletes it and the others, and succeeds if the garbage collector
# leaves both members as they are.
ring() {
  wait_for 20 "a ring that was broken is gone" gone cm left -n shop
  wait_for 20 "a ring that was broken is gone" gone cm right -n shop
  owned shop left
  owned shop right "" "$(owner cm left shop)"
  owned shop left "" "$(owner cm right shop)"
  seen
  manager STOP
  foreground cm left right "$@" -n shop
  manager CONT
  late
  blocks left && blocks right
}
blocks() { is true '{.metadata.ownerReferences[0].blockOwnerDeletion}' cm "$1" -n shop; }

# The garbage collector breaks a ring when it processes one member before it knows about the other's
# deletion. That happens sometimes, and then another ring is created.
ring alone top || ring || ring
