# Like held-by-finalizer--subnet-still-used, but the controller of the control plane is scaled to
# zero.
TWIN=yes
twin_of held-by-finalizer--subnet-still-used
