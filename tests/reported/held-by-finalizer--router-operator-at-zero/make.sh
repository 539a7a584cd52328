# Like finalizer-removal-refused--what-it-names-is-gone, but the target was created again, and the
# operator is at zero.
TWIN=yes
. "$(dirname "${BASH_SOURCE[0]}")/../finalizer-removal-refused--what-it-names-is-gone/make.sh"
