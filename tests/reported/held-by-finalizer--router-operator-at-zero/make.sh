# Like finalizer-removal-refused--what-it-names-is-gone, but the target was created again, and the
# operator is at zero.
TWIN=yes
twin_of finalizer-removal-refused--what-it-names-is-gone
