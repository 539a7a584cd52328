# Like held-by-finalizer--definition-without-its-controller, but the controller still exists and is
# scaled to zero for an update.
TWIN=yes
twin_of held-by-finalizer--definition-without-its-controller
