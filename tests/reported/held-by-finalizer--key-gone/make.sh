# Like held-by-finalizer--start-data-gone, but that Secret exists, and the SSH key of the machine
# does not.
TWIN=yes
. "$(dirname "${BASH_SOURCE[0]}")/../held-by-finalizer--start-data-gone/make.sh"
