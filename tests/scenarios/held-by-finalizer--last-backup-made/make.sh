# Like held-by-finalizer--last-backup-fails, but the backup succeeded, and the operator was scaled
# to zero after that.
TWIN=yes
. "$(dirname "${BASH_SOURCE[0]}")/../held-by-finalizer--last-backup-fails/make.sh"
