# Like held-by-finalizer--attachment-went-first, but the attachment exists, and its controller
# cannot log in.
TWIN=yes
twin_of held-by-finalizer--attachment-went-first
