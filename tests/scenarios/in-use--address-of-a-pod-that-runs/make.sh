# Like in-use--address-of-a-namespace-that-is-gone, but the pod runs.
TWIN=yes
. "$(dirname "${BASH_SOURCE[0]}")/../in-use--address-of-a-namespace-that-is-gone/make.sh"
