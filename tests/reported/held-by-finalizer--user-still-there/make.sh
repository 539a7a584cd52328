# Like held-by-finalizer--user-gone-entry-stays, but only the database was deleted, and its user
# exists.
TWIN=yes
twin_of held-by-finalizer--user-gone-entry-stays
