# As held-by-finalizer--nothing-to-delete-in-the-vault, but the vault denies it: the operator's role may not.
TWIN=yes
. "$(dirname "${BASH_SOURCE[0]}")/../held-by-finalizer--nothing-to-delete-in-the-vault/make.sh"
