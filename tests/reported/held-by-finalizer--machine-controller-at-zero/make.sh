# Like held-by-finalizer--disk-attached-to-the-machine, but the controller of the machine's
# infrastructure is at zero.
TWIN=yes
twin_of held-by-finalizer--disk-attached-to-the-machine
