# Like held-by-finalizer--disk-attached-to-the-machine, but the controller of the machine's
# infrastructure is at zero.
TWIN=yes
. "$(dirname "${BASH_SOURCE[0]}")/../held-by-finalizer--disk-attached-to-the-machine/make.sh"
