# Like in-use--users-counted, but the run is not admitted, and the pool counts no runs. A
# queue still names the pool.
TWIN=yes
. "$(dirname "${BASH_SOURCE[0]}")/../in-use--users-counted/make.sh"
