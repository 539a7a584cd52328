# As held-by-finalizer--source-of-data-gone, but the backup is there and the controller is scaled to zero.
TWIN=yes
. "$(dirname "${BASH_SOURCE[0]}")/../held-by-finalizer--source-of-data-gone/make.sh"
