# Like held-by-finalizer--field-names-what-is-gone, but the destination exists, so the reason is
# unknown.
TWIN=yes
. "$(dirname "${BASH_SOURCE[0]}")/../held-by-finalizer--field-names-what-is-gone/make.sh"
