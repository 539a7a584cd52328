# Like waits-for-others--last-backup-fails, but the backup succeeded, and the operator was scaled
# to zero after that.
TWIN=yes
. "$(dirname "${BASH_SOURCE[0]}")/../waits-for-others--last-backup-fails/make.sh"
