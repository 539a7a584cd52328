# Like dangling-reference--label-names-what-is-gone, but the cluster exists, so the reason is
# unknown.
TWIN=yes
. "$(dirname "${BASH_SOURCE[0]}")/../dangling-reference--label-names-what-is-gone/make.sh"
