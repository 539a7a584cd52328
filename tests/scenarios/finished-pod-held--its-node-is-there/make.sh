# Like finished-pod-held--its-node-is-gone, but the node exists, so the reason is unknown.
TWIN=yes
. "$(dirname "${BASH_SOURCE[0]}")/../finished-pod-held--its-node-is-gone/make.sh"
