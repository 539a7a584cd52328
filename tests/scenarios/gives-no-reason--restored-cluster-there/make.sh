# Like dangling-reference--restored-cluster-gone, but the cluster exists.
TWIN=yes
. "$(dirname "${BASH_SOURCE[0]}")/../dangling-reference--restored-cluster-gone/make.sh"
