# Like waits-for-what-is-gone--named-in-a-message, but the lock above is there.
THERE=upper-weir
twin_of waits-for-what-is-gone--named-in-a-message
