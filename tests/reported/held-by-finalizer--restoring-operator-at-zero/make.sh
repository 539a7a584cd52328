# Like held-by-finalizer--source-of-data-gone, but the backup exists, and the controller is scaled
# to zero.
TWIN=yes
twin_of held-by-finalizer--source-of-data-gone
