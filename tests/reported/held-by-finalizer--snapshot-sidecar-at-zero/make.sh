# Like held-by-finalizer--snapshot-sidecar-silent, but the driver's controller, including the
# sidecar, is at zero.
TWIN=yes
twin_of held-by-finalizer--snapshot-sidecar-silent
