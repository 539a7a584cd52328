# As volume-still-attached--node-of-volume-gone, but the node is there and its agent says what it cannot do.
TWIN=yes
. "$(dirname "${BASH_SOURCE[0]}")/../volume-still-attached--node-of-volume-gone/make.sh"
