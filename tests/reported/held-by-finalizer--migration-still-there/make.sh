# Like held-by-finalizer--finished-migration-gone, but the migration exists and is being deleted
# too. The controller that would release it is at zero.
TWIN=yes
twin_of held-by-finalizer--finished-migration-gone
