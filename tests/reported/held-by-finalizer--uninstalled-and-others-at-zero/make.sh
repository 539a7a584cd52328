# Like held-by-finalizer--uninstalled-before-its-root, but the operators are installed separately
# and are scaled to zero.
TWIN=yes
twin_of held-by-finalizer--uninstalled-before-its-root
