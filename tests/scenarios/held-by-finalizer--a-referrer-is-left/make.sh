# Like held-by-finalizer--no-referrer-left, but an object still refers to the deleted Secret.
GOES=new
. "$(dirname "${BASH_SOURCE[0]}")/../held-by-finalizer--no-referrer-left/make.sh"
