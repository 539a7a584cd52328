# Like held-by-finalizer--source-of-data-gone, but the backup exists, and the controller is scaled
# to zero.
TWIN=yes
. "$(dirname "${BASH_SOURCE[0]}")/../held-by-finalizer--source-of-data-gone/make.sh"
