# As held-by-finalizer--last-backup-fails, but the backup was made, and the operator is at zero since then.
TWIN=yes
. "$(dirname "${BASH_SOURCE[0]}")/../held-by-finalizer--last-backup-fails/make.sh"
