# Like held-by-finalizer--removal-met-a-conflict, but the controller is scaled to zero.
TWIN=yes
. "$(dirname "${BASH_SOURCE[0]}")/../held-by-finalizer--removal-met-a-conflict/make.sh"
