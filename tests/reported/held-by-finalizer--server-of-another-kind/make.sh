# Like held-by-finalizer--controller-not-started, but the servers are of another kind: the server
# that set the finalizer is gone.
TWIN=yes
. "$(dirname "${BASH_SOURCE[0]}")/../held-by-finalizer--controller-not-started/make.sh"
