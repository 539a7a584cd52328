# Like pod-node-not-ready--under-maintenance, but the maintenance has not begun: the node has failed by itself.
BEGUN=False
. "$(dirname "${BASH_SOURCE[0]}")/../pod-node-not-ready--under-maintenance/make.sh"
