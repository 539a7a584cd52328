# Like held-by-finalizer--label-names-what-is-gone, but the cluster exists, so the reason is
# unknown.
TWIN=yes
. "$(dirname "${BASH_SOURCE[0]}")/../held-by-finalizer--label-names-what-is-gone/make.sh"
