# Like permissions-missing--may-list-and-not-watch, but the operator may also watch its kind: it gives no reason.
MORE="watch, "
twin_of permissions-missing--may-list-and-not-watch
