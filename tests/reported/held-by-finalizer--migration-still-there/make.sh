# As held-by-finalizer--finished-migration-gone, but the migration is there and being deleted, too; the controller that would let it go is
# at zero.
TWIN=yes
. "$(dirname "${BASH_SOURCE[0]}")/../held-by-finalizer--finished-migration-gone/make.sh"
