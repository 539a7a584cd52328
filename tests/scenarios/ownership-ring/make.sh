# Two objects that own each other are deleted in the foreground while the
# garbage collector looks away; and a third that owns itself, for which its other owner waits.
kubectl create namespace shop
owned shop top
owned shop alone
owned shop alone "" "$(owner cm top shop)" "$(owner cm alone shop)"

# ring [OTHERS...]: until the collector has seen the deletion of both and left them as they are.
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

# It breaks a ring when it comes to one member before it has heard of the other's deletion,
# which it does sometimes although both wait for it: then there is another.
ring alone top || ring || ring
