# Like waits-for-others--last-backup-fails, but the backup succeeded, and the operator was scaled
# to zero after that.
TWIN=yes
twin_of waits-for-others--last-backup-fails
