# Like held-by-finalizer--registry-of-a-model-gone, but the Service exists, and the server behind it
# refuses the controller's login.
TWIN=yes
twin_of held-by-finalizer--registry-of-a-model-gone
