# Like held-by-finalizer--users-counted, but the run is not admitted, and the pool counts no runs. A
# queue still names the pool.
TWIN=yes
. "$(dirname "${BASH_SOURCE[0]}")/../held-by-finalizer--users-counted/make.sh"
