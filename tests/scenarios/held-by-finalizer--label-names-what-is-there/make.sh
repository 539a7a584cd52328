# As held-by-finalizer--label-names-what-is-gone, but the cluster is there: nothing tells why.
TWIN=yes
. "$(dirname "${BASH_SOURCE[0]}")/../held-by-finalizer--label-names-what-is-gone/make.sh"
