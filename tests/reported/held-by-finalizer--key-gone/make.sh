# Like held-by-finalizer--start-data-gone, but that Secret exists, and the SSH key of the machine
# does not.
TWIN=yes
twin_of held-by-finalizer--start-data-gone
