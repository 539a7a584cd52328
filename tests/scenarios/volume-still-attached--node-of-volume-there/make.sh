# Like volume-still-attached--node-of-volume-gone, but the node exists, and its agent reports a
# failure.
TWIN=yes
. "$(dirname "${BASH_SOURCE[0]}")/../volume-still-attached--node-of-volume-gone/make.sh"
