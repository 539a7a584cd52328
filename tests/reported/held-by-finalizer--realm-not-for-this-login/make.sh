# Like held-by-finalizer--realm-gone-in-the-service, but the realm exists, and the operator's login
# may not delete it.
TWIN=yes
. "$(dirname "${BASH_SOURCE[0]}")/../held-by-finalizer--realm-gone-in-the-service/make.sh"
