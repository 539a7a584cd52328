# Like held-by-finalizer--subnet-still-used, but the controller of the control plane is scaled to
# zero.
TWIN=yes
. "$(dirname "${BASH_SOURCE[0]}")/../held-by-finalizer--subnet-still-used/make.sh"
