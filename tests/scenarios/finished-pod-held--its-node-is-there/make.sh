# As finished-pod-held--its-node-is-gone, but the node is there: nothing tells why.
TWIN=yes
. "$(dirname "${BASH_SOURCE[0]}")/../finished-pod-held--its-node-is-gone/make.sh"
