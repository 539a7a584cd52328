# As held-by-finalizer--its-snapshot-went-first, but only the content was deleted: its snapshot is there, and nobody deletes that.
TWIN=yes
. "$(dirname "${BASH_SOURCE[0]}")/../held-by-finalizer--its-snapshot-went-first/make.sh"
