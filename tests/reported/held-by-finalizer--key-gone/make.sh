# As held-by-finalizer--start-data-gone, but that Secret is there, and the key to the machine is not.
TWIN=yes
. "$(dirname "${BASH_SOURCE[0]}")/../held-by-finalizer--start-data-gone/make.sh"
