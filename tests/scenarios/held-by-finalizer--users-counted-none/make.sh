# As held-by-finalizer--users-counted, but the run was suspended: the pool counts none any more. A queue names the pool
# still.
TWIN=yes
. "$(dirname "${BASH_SOURCE[0]}")/../held-by-finalizer--users-counted/make.sh"
