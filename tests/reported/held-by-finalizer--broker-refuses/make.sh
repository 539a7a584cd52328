# Like held-by-finalizer--no-new-entry-on-its-owner, but the instance was deleted in the foreground,
# and the broker refuses to delete the binding.
TWIN=yes
twin_of held-by-finalizer--no-new-entry-on-its-owner
