# Like held-by-finalizer--dependant-already-gone, but the dependent exists.
TWIN=yes
twin_of held-by-finalizer--dependant-already-gone
