# Like held-by-finalizer--restored-cluster-gone, but the cluster exists.
TWIN=yes
. "$(dirname "${BASH_SOURCE[0]}")/../held-by-finalizer--restored-cluster-gone/make.sh"
