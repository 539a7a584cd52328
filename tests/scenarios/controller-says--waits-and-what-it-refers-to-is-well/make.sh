# Like failing-reference--waits-for-what-it-refers-to, but the machine of the deleted object runs.
GOES=two
twin_of failing-reference--waits-for-what-it-refers-to
