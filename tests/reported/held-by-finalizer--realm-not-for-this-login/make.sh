# Like held-by-finalizer--realm-gone-in-the-service, but the realm exists, and the operator's login
# may not delete it.
TWIN=yes
twin_of held-by-finalizer--realm-gone-in-the-service
