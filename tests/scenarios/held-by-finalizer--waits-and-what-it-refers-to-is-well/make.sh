# As held-by-finalizer--waits-for-what-it-refers-to, but the object goes whose machine runs.
GOES=two
. "$(dirname "${BASH_SOURCE[0]}")/../held-by-finalizer--waits-for-what-it-refers-to/make.sh"
