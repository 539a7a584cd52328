# Like held-by-finalizer--controller-not-started, but the servers are of another kind: the server
# that set the finalizer is gone.
TWIN=yes
twin_of held-by-finalizer--controller-not-started
