# Like finalizer-removal-refused--an-unused-part-is-not-valid, but all providers are valid, and
# Flux, which has to uninstall the components, is at zero.
TWIN=yes
twin_of finalizer-removal-refused--an-unused-part-is-not-valid
