# Like held-by-finalizer--what-it-deletes-is-held, but the other deleted objects do not have the
# operator's label.
TWIN=yes
. "$(dirname "${BASH_SOURCE[0]}")/../held-by-finalizer--what-it-deletes-is-held/make.sh"
