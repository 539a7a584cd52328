# Like held-by-finalizer--floating-address-kept-by-policy, but nothing is refused, and the cloud's
# controller is at zero.
TWIN=yes
twin_of held-by-finalizer--floating-address-kept-by-policy
