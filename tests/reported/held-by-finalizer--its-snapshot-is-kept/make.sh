# Like held-by-finalizer--its-snapshot-went-first, but only the content was deleted. Its snapshot
# exists and is not being deleted.
TWIN=yes
twin_of held-by-finalizer--its-snapshot-went-first
