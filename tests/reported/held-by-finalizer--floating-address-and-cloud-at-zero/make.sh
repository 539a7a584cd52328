# As held-by-finalizer--floating-address-kept-by-policy, but nobody is refused anything: the cloud's controller is at zero.
TWIN=yes
. "$(dirname "${BASH_SOURCE[0]}")/../held-by-finalizer--floating-address-kept-by-policy/make.sh"
