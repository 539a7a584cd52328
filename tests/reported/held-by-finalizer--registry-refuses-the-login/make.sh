# Like held-by-finalizer--registry-of-a-model-gone, but the Service exists, and the server behind it
# refuses the controller's login.
TWIN=yes
. "$(dirname "${BASH_SOURCE[0]}")/../held-by-finalizer--registry-of-a-model-gone/make.sh"
