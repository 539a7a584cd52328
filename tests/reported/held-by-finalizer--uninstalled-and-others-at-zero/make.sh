# Like held-by-finalizer--uninstalled-before-its-root, but the operators are installed separately
# and are scaled to zero.
TWIN=yes
. "$(dirname "${BASH_SOURCE[0]}")/../held-by-finalizer--uninstalled-before-its-root/make.sh"
