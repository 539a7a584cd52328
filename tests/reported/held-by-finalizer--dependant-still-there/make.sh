# Like held-by-finalizer--dependant-already-gone, but the dependent exists.
TWIN=yes
. "$(dirname "${BASH_SOURCE[0]}")/../held-by-finalizer--dependant-already-gone/make.sh"
