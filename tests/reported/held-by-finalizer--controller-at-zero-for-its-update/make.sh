# As held-by-finalizer--definition-without-its-controller, but the controller is still there, scaled to nothing for an update.
TWIN=yes
. "$(dirname "${BASH_SOURCE[0]}")/../held-by-finalizer--definition-without-its-controller/make.sh"
