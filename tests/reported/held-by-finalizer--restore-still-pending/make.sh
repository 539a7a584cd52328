# Like held-by-finalizer--restored-and-not-told, but the claim is still being created, and its
# driver reports what fails.
TWIN=yes
twin_of held-by-finalizer--restored-and-not-told
