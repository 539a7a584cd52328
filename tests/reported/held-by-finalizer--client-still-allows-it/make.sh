# Like held-by-finalizer--gone-in-the-service, but the group exists, and a client still allows it.
TWIN=yes
. "$(dirname "${BASH_SOURCE[0]}")/../held-by-finalizer--gone-in-the-service/make.sh"
