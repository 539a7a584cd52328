# Like gives-no-reason--logical-volume-without-its-volume, but the PersistentVolume still exists,
# and its driver keeps the finalizer for it.
TWIN=yes
. "$(dirname "${BASH_SOURCE[0]}")/../gives-no-reason--logical-volume-without-its-volume/make.sh"
