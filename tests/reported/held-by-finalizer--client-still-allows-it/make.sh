# Like held-by-finalizer--gone-in-the-service, but the group exists, and a client still allows it.
TWIN=yes
twin_of held-by-finalizer--gone-in-the-service
