# Like held-by-finalizer--logical-volume-without-its-volume, but the PersistentVolume still exists,
# and its driver keeps the finalizer for it.
TWIN=yes
. "$(dirname "${BASH_SOURCE[0]}")/../held-by-finalizer--logical-volume-without-its-volume/make.sh"
