# As held-by-finalizer--field-names-what-is-gone, but the destination is there: nothing tells why.
TWIN=yes
. "$(dirname "${BASH_SOURCE[0]}")/../held-by-finalizer--field-names-what-is-gone/make.sh"
