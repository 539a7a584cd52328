# Like held-by-finalizer--its-snapshot-went-first, but only the content was deleted. Its snapshot
# exists and is not being deleted.
TWIN=yes
. "$(dirname "${BASH_SOURCE[0]}")/../held-by-finalizer--its-snapshot-went-first/make.sh"
