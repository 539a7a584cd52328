# As held-by-finalizer--uninstalled-before-its-root, but the operators are installed on their own, and scaled to nothing.
TWIN=yes
. "$(dirname "${BASH_SOURCE[0]}")/../held-by-finalizer--uninstalled-before-its-root/make.sh"
