# Like controller-says--member-of-a-server-node, but no condition says why it is not removed.
TWIN=yes
. "$(dirname "${BASH_SOURCE[0]}")/../controller-says--member-of-a-server-node/make.sh"
