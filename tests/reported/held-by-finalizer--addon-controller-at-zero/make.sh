# Like held-by-finalizer--may-not-change-its-namespace, but the controller has the permission and
# was scaled to zero.
TWIN=yes
twin_of held-by-finalizer--may-not-change-its-namespace
