# Like held-by-finalizer--nothing-to-delete-in-the-vault, but the vault denies the deletion to the
# operator's role.
TWIN=yes
. "$(dirname "${BASH_SOURCE[0]}")/../held-by-finalizer--nothing-to-delete-in-the-vault/make.sh"
