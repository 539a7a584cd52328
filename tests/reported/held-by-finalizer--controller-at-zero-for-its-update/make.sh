# Like held-by-finalizer--definition-without-its-controller, but the controller still exists and is
# scaled to zero for an update.
TWIN=yes
. "$(dirname "${BASH_SOURCE[0]}")/../held-by-finalizer--definition-without-its-controller/make.sh"
