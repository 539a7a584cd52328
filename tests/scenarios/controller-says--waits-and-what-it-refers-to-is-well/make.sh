# Like failing-reference--waits-for-what-it-refers-to, but the machine of the deleted object runs.
GOES=two
. "$(dirname "${BASH_SOURCE[0]}")/../failing-reference--waits-for-what-it-refers-to/make.sh"
