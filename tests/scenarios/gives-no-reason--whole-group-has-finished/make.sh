# Like waits-for-others--group-of-a-finished-pod, but all pods of the group have finished.
TWIN=yes
. "$(dirname "${BASH_SOURCE[0]}")/../waits-for-others--group-of-a-finished-pod/make.sh"
