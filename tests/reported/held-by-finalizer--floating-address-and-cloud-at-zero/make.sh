# Like held-by-finalizer--floating-address-kept-by-policy, but nothing is refused, and the cloud's
# controller is at zero.
TWIN=yes
. "$(dirname "${BASH_SOURCE[0]}")/../held-by-finalizer--floating-address-kept-by-policy/make.sh"
