# Like held-by-finalizer--retries-in-an-annotation, but the resource of the grant exists, and the
# operator was scaled to zero after its first attempt.
TWIN=yes
twin_of held-by-finalizer--retries-in-an-annotation
