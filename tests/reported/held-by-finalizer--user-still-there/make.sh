# Like held-by-finalizer--user-gone-entry-stays, but only the database was deleted, and its user
# exists.
TWIN=yes
. "$(dirname "${BASH_SOURCE[0]}")/../held-by-finalizer--user-gone-entry-stays/make.sh"
