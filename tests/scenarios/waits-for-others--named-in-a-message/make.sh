# Like waits-for-what-is-gone--named-in-a-message, but the lock above is there.
THERE=upper-weir
. "$(dirname "${BASH_SOURCE[0]}")/../waits-for-what-is-gone--named-in-a-message/make.sh"
