# Like held-by-finalizer--only-with-its-warehouse, but the warehouse was deleted, and the operator
# is scaled to zero.
TWIN=yes
. "$(dirname "${BASH_SOURCE[0]}")/../held-by-finalizer--only-with-its-warehouse/make.sh"
