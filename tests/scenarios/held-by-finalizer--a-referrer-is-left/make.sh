# As held-by-finalizer--no-referrer-left, but the Secret goes that an object still refers to.
GOES=new
. "$(dirname "${BASH_SOURCE[0]}")/../held-by-finalizer--no-referrer-left/make.sh"
