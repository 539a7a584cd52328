# Like gives-no-reason--logical-volume-without-its-volume, but the PersistentVolume still exists,
# and its driver keeps the finalizer for it.
TWIN=yes
twin_of gives-no-reason--logical-volume-without-its-volume
