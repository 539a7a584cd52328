# As held-by-finalizer--dependant-already-gone, but the dependant is there.
TWIN=yes
. "$(dirname "${BASH_SOURCE[0]}")/../held-by-finalizer--dependant-already-gone/make.sh"
