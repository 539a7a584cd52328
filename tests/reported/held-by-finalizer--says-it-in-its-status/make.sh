# Like held-by-finalizer--says-it-in-its-log-only, but the operator also writes the reason to the
# status.
TWIN=yes
twin_of held-by-finalizer--says-it-in-its-log-only
