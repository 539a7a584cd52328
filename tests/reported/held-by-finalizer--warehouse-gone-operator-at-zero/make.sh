# Like held-by-finalizer--only-with-its-warehouse, but the warehouse was deleted, and the operator
# is scaled to zero.
TWIN=yes
twin_of held-by-finalizer--only-with-its-warehouse
