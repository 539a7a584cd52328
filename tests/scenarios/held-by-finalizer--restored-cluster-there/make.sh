# As held-by-finalizer--restored-cluster-gone, but the cluster is there.
TWIN=yes
. "$(dirname "${BASH_SOURCE[0]}")/../held-by-finalizer--restored-cluster-gone/make.sh"
