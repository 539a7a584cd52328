# Like held-by-finalizer--may-not-change-its-namespace, but the controller has the permission and
# was scaled to zero.
TWIN=yes
. "$(dirname "${BASH_SOURCE[0]}")/../held-by-finalizer--may-not-change-its-namespace/make.sh"
