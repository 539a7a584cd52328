# Like held-by-finalizer--removal-met-a-conflict, but the controller is scaled to zero.
TWIN=yes
twin_of held-by-finalizer--removal-met-a-conflict
